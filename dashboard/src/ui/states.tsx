import { Alert, Button, Center, Group, Skeleton, Stack, Text, ThemeIcon } from "@mantine/core";
import { IconAlertTriangle, type TablerIcon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { asFailure, sayComplaint, sayFailure } from "../api/failure.ts";

interface EmptyProps {
  icon: TablerIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

export function Empty({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <Center py={56} px="md">
      <Stack align="center" gap={6} maw={420}>
        <ThemeIcon variant="default" size={44} radius="xl" mb={6} aria-hidden>
          <Icon size={22} stroke={1.6} />
        </ThemeIcon>
        <Text fw={600}>{title}</Text>
        {children !== undefined && (
          <Text component="div" c="dimmed" size="sm" ta="center">
            {children}
          </Text>
        )}
        {action !== undefined && <Group mt="sm">{action}</Group>}
      </Stack>
    </Center>
  );
}

interface FailureAlertProps {
  error: unknown;
  onRetry?: () => void;
  /** Which complaints a form shows at its own fields, so that they are not repeated here. */
  isAtField?: (field: string) => boolean;
}

/** What went wrong, in the service's words, with what support needs to find it. */
export function FailureAlert({ error, onRetry, isAtField = () => false }: FailureAlertProps) {
  const { message, facts } = asFailure(error);
  const { code, requestId, fieldErrors } = facts;
  const others = fieldErrors.filter(({ field }) => !isAtField(field));
  const isMarked = others.length < fieldErrors.length;
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} role="alert">
      <Text size="sm" fw={500}>
        {isMarked ? `${message}: see the marked fields` : sayFailure(error)}
      </Text>
      {others.length > (isMarked ? 0 : 1) && (
        <Text component="ul" size="sm" my={4} pl="md">
          {others.map((complaint) => (
            <li key={`${complaint.field} ${complaint.message}`}>{sayComplaint(complaint)}</li>
          ))}
        </Text>
      )}
      {code !== "" && (
        <Text size="xs" mt={2} className="mono">
          Code {code}
          {requestId !== undefined && ` · ${requestId}`}
        </Text>
      )}
      {onRetry !== undefined && (
        <Button size="xs" variant="default" mt="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}

export function Loading({ rows = 5 }: { rows?: number }) {
  return (
    <Stack gap="sm" p="md" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
        <Skeleton key={index} height={18} width={`${92 - ((index * 17) % 38)}%`} radius="sm" />
      ))}
    </Stack>
  );
}

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown };
  rows?: number;
  children: (data: Data) => ReactNode;
}

/** Waits, says what failed, or shows. */
export function Loaded<Data>({ query, rows, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) {
    return <FailureAlert error={query.error} onRetry={() => void query.refetch()} />;
  }
  return rows === undefined ? <Loading /> : <Loading rows={rows} />;
}
