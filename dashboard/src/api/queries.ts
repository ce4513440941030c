import {
  infiniteQueryOptions,
  keepPreviousData,
  QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import { call, getPage, type Page } from "./client.ts";
import { asFailure } from "./failure.ts";
import {
  type Filters,
  type ListKey,
  type Pages,
  type Place,
  placeAfter,
  placeOf,
  putOnTop,
  topOf,
} from "./pages.ts";

const PAGE_SIZE = 100;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && asFailure(error).facts.httpStatus === 0,
    },
    // Their answers may be secrets, and what was sent a password: none outlives its showing. And none waits
    // for the network to come back, when nobody may want it any more.
    mutations: { retry: false, gcTime: 0, networkMode: "always" },
  },
});

/** What one address answers: the address is its key, so that whatever changes it can be found by prefix. */
export const resourceQuery = <Data>(path: string, params: Filters = {}) =>
  queryOptions({
    queryKey: [path, params],
    queryFn: ({ signal }) => call<Data>("GET", path, { params, signal }),
  });

/** What a list in memory knows of something, to be shown until its own answer is there. */
export function rowFrom<Row>(list: string, id: keyof Row & string, value: string): Row | undefined {
  const cached = queryClient.getQueriesData<Pages<Row>>({
    predicate: ({ queryKey }) => queryKey[0] === list && isList(queryKey),
  });
  const pages = cached.flatMap(([, data]) => data?.pages ?? []);
  return pages.flatMap(({ data }) => data).find((row) => row[id] === value);
}

/** Puts an answer into memory, so that it is shown without being asked for. */
export function setCached<Data extends object>(path: string, data: Data): void {
  queryClient.setQueryData(resourceQuery<Data>(path).queryKey, data);
}

/** Rows further away than this are let go, and fetched again when somebody goes back to them. */
const MAX_PAGES = 30;

/** A list that grows by pages while it is scrolled. `id` names the column that tells rows apart. */
export const listQuery = <Row>(path: string, id: keyof Row & string, params: Filters = {}) => {
  const queryKey: ListKey = [path, params, id];
  const isShort = () => !isLongList(queryKey);
  return infiniteQueryOptions<Page<Row>, Error, Pages<Row>, ListKey, Place>({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage<Row>(path, params, pageParam.cursor, signal),
    initialPageParam: topOf(queryKey),
    getNextPageParam: (page, _pages, place) => placeAfter(page, place),
    getPreviousPageParam: () => undefined,
    maxPages: MAX_PAGES,
    placeholderData: keepPreviousData,
    // Nothing here compares rows, and comparing those of a long list takes time.
    structuralSharing: false,
    // Long ones are kept fresh from the top: see `refreshTop`.
    refetchOnMount: isShort,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
  });
};

function fetchPage<Row>(path: string, params: Filters, cursor?: string, signal?: AbortSignal) {
  const options = { params: { limit: PAGE_SIZE, ...params, cursor } };
  return getPage<Row>(path, signal === undefined ? options : { ...options, signal });
}

/** Goes back to rows that were let go: the page that has this one and the page behind it. */
export async function showRow(row: number, first: Place): Promise<void> {
  const place = placeOf(row, first);
  if (place === undefined) return;
  const [path, params] = place.list;
  const page = await fetchPage<AnyRow>(path, params, place.cursor);
  const pages = { pages: [page], pageParams: [place] };
  const next = placeAfter(page, place);
  if (next !== undefined) {
    pages.pages.push(await fetchPage<AnyRow>(path, params, next.cursor));
    pages.pageParams.push(next);
  }
  await queryClient.cancelQueries({ queryKey: place.list, exact: true });
  queryClient.setQueryData<AnyPages>(place.list, pages);
}

/** Asks again for whatever is shown and lies under one of these addresses. */
export async function refresh(...prefixes: string[]): Promise<void> {
  const stale = queryClient
    .getQueryCache()
    .findAll({ predicate: ({ queryKey }) => prefixes.some((p) => isUnder(queryKey[0], p)) });
  await Promise.all(stale.map(({ queryKey }) => refreshList(queryKey)));
}

/** Asks again for one of them: of a long list only for its top. */
export async function refreshList(queryKey: readonly unknown[]): Promise<void> {
  if (isLongList(queryKey)) await refreshTop(queryKey);
  else await refetch(queryKey);
}

async function refetch(queryKey: readonly unknown[]): Promise<void> {
  const { data, fetchStatus } = queryClient.getQueryState(queryKey) ?? {};
  await queryClient.invalidateQueries({ queryKey, exact: true });
  // A first answer on its way is waited for, not cut off, and may be older than what made it stale.
  const isOld = data === undefined && fetchStatus === "fetching";
  if (isOld) await queryClient.invalidateQueries({ queryKey, exact: true });
}

function isUnder(path: unknown, prefix: string): boolean {
  return typeof path === "string" && (path === prefix || path.startsWith(`${prefix}/`));
}

type AnyRow = Record<string, unknown>;
type AnyPages = Pages<AnyRow>;

const isList = (key: readonly unknown[]): key is ListKey => key.length === 3;

function isLongList(key: readonly unknown[]): key is ListKey {
  return isList(key) && (queryClient.getQueryData<AnyPages>(key)?.pages.length ?? 0) > 1;
}

/** For a list that is shown again. */
export async function refreshIfLong(key: readonly unknown[]): Promise<void> {
  if (isLongList(key)) await refreshTop(key);
}

/** Fetching a long list again would fetch every page, so only what is new is put on top. */
async function refreshTop(key: ListKey): Promise<void> {
  const [path, params] = key;
  const head = await fetchPage<AnyRow>(path, params).catch(() => undefined);
  if (head === undefined) return;
  queryClient.setQueryData<AnyPages>(key, (old) => (old === undefined ? old : putOnTop(old, head)));
}
