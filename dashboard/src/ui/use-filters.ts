import { useNavigate, useSearch } from "@tanstack/react-router";
import { momentsOf } from "./days.ts";

type Values = Record<string, string | undefined>;

/** Filters live in the address, so that a filtered list can be shared, bookmarked and gone back to. */
export function useFilters(): [Values, (change: Values) => void] {
  const filters = useSearch({ strict: false }) as Values;
  const navigate = useNavigate();
  const change = (values: Values) => {
    const merged = Object.entries({ ...filters, ...values });
    const search = Object.fromEntries(
      merged.filter(([, value]) => value !== undefined && value !== ""),
    );
    void navigate({ to: ".", search, replace: true, resetScroll: false });
  };
  return [filters, change];
}

interface ListFilters {
  /** For the service. */
  params: Values;
  isFiltered: boolean;
}

/** Those of the filters that a list understands. */
export function useListFilters(names: readonly string[]): ListFilters {
  const [filters] = useFilters();
  const given = Object.fromEntries(
    names.filter((name) => filters[name] !== undefined).map((name) => [name, filters[name]]),
  );
  const { from, to, ...rest } = given;
  const params = { ...rest, ...momentsOf(from, to) };
  return { params, isFiltered: Object.keys(given).length > 0 };
}
