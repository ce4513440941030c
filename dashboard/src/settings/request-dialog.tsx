import type { LoggedRequest } from "../api/own-types.ts";
import { CopyText } from "../ui/copy.tsx";
import { ReadingDialog } from "../ui/dialogs.tsx";
import { Facts } from "../ui/facts.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { duration } from "./request-words.ts";

interface RequestDialogProps {
  request: LoggedRequest;
  onClose: () => void;
}

/** A whole request: what the list has no room for, and what support asks for. */
export function RequestDialog({ request, onClose }: RequestDialogProps) {
  const { requestId, reference, method, path, httpStatus, responseCode } = request;
  return (
    <ReadingDialog title={`${method} ${path}`} onClose={onClose}>
      <Facts
        facts={[
          ["Request id", <CopyText key="i" value={requestId} label="request id" />],
          [
            "Reference",
            reference === null ? "–" : <CopyText key="r" value={reference} label="Reference" />,
          ],
          ["HTTP status", httpStatus],
          ["Response code", responseCode],
          ["Finality", <Status key="f" value={request.finality} />],
          ["Took", duration(request)],
          ["When", <Time key="w" at={request.at} as="full" />],
        ]}
      />
    </ReadingDialog>
  );
}
