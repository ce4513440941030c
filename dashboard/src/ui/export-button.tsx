import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { getCsv } from "../api/client.ts";
import type { Filters } from "../api/pages.ts";
import { useAction } from "../api/use-action.ts";
import { useCan } from "../session/use-me.ts";

interface ExportButtonProps {
  path: string;
  params: Filters;
  fileName: string;
}

/** Saves all that the filter matches, not only what is on the screen. */
export function ExportButton({ path, params, fileName }: ExportButtonProps) {
  const can = useCan();
  const download = useAction({
    run: async () => save(await getCsv(path, params), fileName),
    done: "The export is in your downloads",
  });
  if (!can("export")) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      Export CSV
    </Button>
  );
}

function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${name}-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
