import { IconListDetails } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { LoggedRequest } from "../api/own-types.ts";
import { listQuery } from "../api/queries.ts";
import { Below } from "../ui/below.tsx";
import { type Column, DataList } from "../ui/data-list.tsx";
import { Choice, FilterBar, WordField } from "../ui/filter-bar.tsx";
import { Page } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { useListFilters } from "../ui/use-filters.ts";
import { useFreshTop } from "../ui/use-fresh-top.ts";
import { RequestDialog } from "./request-dialog.tsx";
import { duration } from "./request-words.ts";

const NAMES = ["outcome", "code"];

const columns: Column<LoggedRequest>[] = [
  {
    header: "Request",
    cell: ({ method, path, requestId }) => (
      <>
        <code className="mono">
          {method} {path.replace(/^\/api\/v1/, "")}
        </code>
        <Below>
          <code className="mono">{requestId}</code>
        </Below>
      </>
    ),
  },
  {
    header: "Answer",
    width: "112px",
    cell: ({ httpStatus, responseCode }) => (
      <span className="figures">
        {httpStatus} · {responseCode}
      </span>
    ),
  },
  {
    header: "Finality",
    width: "120px",
    from: "Md",
    cell: ({ finality }) => <Status value={finality} />,
  },
  {
    header: "Took",
    align: "right",
    width: "104px",
    from: "Sm",
    cell: duration,
  },
  {
    header: "Reference",
    from: "Lg",
    width: "148px",
    cell: ({ reference }) => <code className="mono">{reference ?? "–"}</code>,
  },
  { header: "When", cell: ({ at }) => <Time at={at} />, width: "172px", from: "Sm" },
];

export function RequestsPage() {
  const { params, isFiltered } = useListFilters(NAMES);
  const [opened, setOpened] = useState<LoggedRequest>();
  const list = listQuery<LoggedRequest>("/dashboard/requests", "requestId", params);
  const requests = useInfiniteQuery(list);
  useFreshTop(list.queryKey);
  return (
    <Page
      title="API requests"
      lead="The latest calls of your servers, with what they were answered. Bodies are never kept."
    >
      <FilterBar names={NAMES}>
        <Choice
          name="outcome"
          label="Outcome"
          options={[
            { value: "Succeeded", label: "Success" },
            { value: "Failed", label: "Failure" },
          ]}
        />
        <WordField
          name="code"
          label="Response code"
          placeholder="116"
          shape={{ pattern: /^\d{3}$/, words: "Three digits, such as 116" }}
        />
      </FilterBar>
      <DataList
        label="API requests"
        noun="request"
        source={requests}
        columns={columns}
        rowKey={({ requestId }) => requestId}
        onOpen={setOpened}
        empty={
          isFiltered ? (
            <Empty icon={IconListDetails} title="No request matches these filters" />
          ) : (
            <Empty icon={IconListDetails} title="No requests yet">
              Calls to the API show up here a moment after they were answered.
            </Empty>
          )
        }
      />
      {opened !== undefined && (
        <RequestDialog request={opened} onClose={() => setOpened(undefined)} />
      )}
    </Page>
  );
}
