import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { FocusEvent, FormEvent, ReactNode } from "react";
import { FailureAlert } from "./states.tsx";
import { useFocusBack } from "./use-focus-back.ts";

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children?: ReactNode;
  confirm: string;
  isDangerous?: boolean;
  isPending: boolean;
  /** Why nothing is left to do, where something else was faster: it is said, and nothing can be sent. */
  overtaken?: string | undefined;
  error: Error | null;
  /** Which complaints a form in it shows at its own fields. */
  isAtField?: (field: string) => boolean;
  onConfirm: () => void;
  size?: string;
}

/**
 * Asks before it acts: the text says what will happen, the button names it. What is under way cannot be
 * cancelled any more, so that it stays until the answer is there.
 */
export function Dialog(props: DialogProps) {
  const { isOpen, isPending } = props;
  useFocusBack(isOpen);
  // What it does itself overtakes nothing.
  const overtaken = isOpen && !isPending ? props.overtaken : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (overtaken === undefined) props.onConfirm();
  };
  // Fields of a dialog that closes are taken away, not left: they are not judged for it.
  const keepFromFields = (event: FocusEvent) => {
    if (!isOpen) event.stopPropagation();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={props.onClose}
      closeOnEscape={!isPending}
      closeOnClickOutside={!isPending}
      returnFocus={false}
      title={<Text fw={600}>{props.title}</Text>}
      closeButtonProps={{ "aria-label": "Close", disabled: isPending }}
      size={props.size ?? "md"}
    >
      <form onSubmit={submit} onBlurCapture={keepFromFields} noValidate>
        <Stack gap="md">
          {typeof props.children === "string" ? (
            <Text size="sm">{props.children}</Text>
          ) : (
            props.children
          )}
          {overtaken !== undefined && (
            <Alert color="yellow" variant="light" role="status">
              {overtaken}
            </Alert>
          )}
          {props.error !== null && (
            <FailureAlert
              error={props.error}
              {...(props.isAtField === undefined ? {} : { isAtField: props.isAtField })}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" disabled={isPending} onClick={props.onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={isPending}
              disabled={overtaken !== undefined}
              {...(props.isDangerous === true ? { color: "red" } : {})}
            >
              {props.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface ReadingDialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** Shows more of something, for as long as it is there. */
export function ReadingDialog({ title, onClose, children }: ReadingDialogProps) {
  useFocusBack(true);
  return (
    <Modal
      opened
      onClose={onClose}
      returnFocus={false}
      title={<Text fw={600}>{title}</Text>}
      closeButtonProps={{ "aria-label": "Close" }}
      size="lg"
    >
      {children}
    </Modal>
  );
}
