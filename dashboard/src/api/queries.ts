import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import { call, getPage, type Page } from "./client.ts";
import { asFailure } from "./failure.ts";

export type Filters = Record<string, string | number | boolean | undefined>;

const PAGE_SIZE = 100;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && asFailure(error).facts.httpStatus === 0,
    },
    mutations: { retry: false },
  },
});

/** One thing: the address is its key, so that whatever changes it can be found by prefix. */
export const one = <Data>(path: string, params: Filters = {}) =>
  queryOptions({
    queryKey: [path, params],
    queryFn: ({ signal }) => call<Data>("GET", path, { params, signal }),
  });

/** A list that grows by pages while it is scrolled. `id` names the column that tells rows apart. */
export const many = <Row>(path: string, id: keyof Row & string, params: Filters = {}) =>
  infiniteQueryOptions({
    queryKey: [path, params, id],
    queryFn: ({ pageParam, signal }) => fetchPage<Row>(path, params, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Page<Row>) => page.pagination.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });

function fetchPage<Row>(path: string, params: Filters, cursor?: string, signal?: AbortSignal) {
  const options = { params: { limit: PAGE_SIZE, ...params, cursor } };
  return getPage<Row>(path, signal === undefined ? options : { ...options, signal });
}

/** Asks again for whatever is shown and lies under one of these addresses. */
export async function refresh(...prefixes: string[]): Promise<void> {
  const stale = queryClient
    .getQueryCache()
    .findAll({ predicate: ({ queryKey }) => prefixes.some((p) => isUnder(queryKey[0], p)) });
  await Promise.all(
    stale.map(({ queryKey }) =>
      isLongList(queryKey)
        ? refreshHead(queryKey)
        : queryClient.invalidateQueries({ queryKey, exact: true }),
    ),
  );
}

function isUnder(path: unknown, prefix: string): boolean {
  return typeof path === "string" && (path === prefix || path.startsWith(`${prefix}/`));
}

type Pages = InfiniteData<Page<Record<string, unknown>>, string | undefined>;

function isLongList(key: readonly unknown[]): boolean {
  return key.length === 3 && (queryClient.getQueryData<Pages>(key)?.pages.length ?? 0) > 1;
}

/** Fetching a long list again would fetch every page, so only what is new is put on top. */
async function refreshHead(key: readonly unknown[]): Promise<void> {
  const [path, params, id] = key as [string, Filters, string];
  const head = await fetchPage<Record<string, unknown>>(path, params).catch(() => undefined);
  if (head === undefined) return;
  queryClient.setQueryData<Pages>(key, (old) =>
    old === undefined ? old : putOnTop(old, head, id),
  );
}

export function putOnTop<Row extends Record<string, unknown>>(
  old: InfiniteData<Page<Row>, string | undefined>,
  head: Page<Row>,
  id: string,
): InfiniteData<Page<Row>, string | undefined> {
  const [first, ...rest] = old.pages;
  const fresh = new Set(head.data.map((row) => row[id]));
  const isJoined = first?.data.some((row) => fresh.has(row[id])) ?? false;
  if (first === undefined || !isJoined) return { pages: [head], pageParams: [undefined] };
  const kept = first.data.filter((row) => !fresh.has(row[id]));
  return {
    pageParams: old.pageParams,
    pages: [{ ...first, data: [...head.data, ...kept] }, ...rest],
  };
}
