import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { FocusEvent, FormEvent, ReactNode } from "react";
import { forgetRefusal } from "./form-errors.ts";
import { FailureAlert } from "./states.tsx";
import { useFocusBack } from "./use-focus-back.ts";

/** What a dialog asks for, as far as it got. */
interface Action {
  isPending: boolean;
  isError: boolean;
  error: Error | null;
  reset: () => void;
}

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children?: ReactNode;
  confirm: string;
  isDangerous?: boolean;
  action: Action;
  /** Why nothing is left to do, where something else was faster: it is said, and nothing can be sent. */
  overtaken?: string | undefined;
  /** Which complaints a form in it shows at its own fields. */
  isAtField?: (field: string) => boolean;
  onConfirm: () => void;
  size?: string;
}

/**
 * Asks before it acts: the text says what will happen, the button names it. What is under way cannot be
 * cancelled any more, so that it stays until the answer is there. What was refused is forgotten when the dialog is
 * changed, or closed.
 */
export function Dialog(props: DialogProps) {
  const { isOpen, action } = props;
  const { isPending, error } = action;
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
  const close = () => {
    forgetRefusal(action);
    props.onClose();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      closeOnEscape={!isPending}
      closeOnClickOutside={!isPending}
      returnFocus={false}
      title={<Text fw={600}>{props.title}</Text>}
      closeButtonProps={{ "aria-label": "Close", disabled: isPending }}
      size={props.size ?? "md"}
    >
      <form
        onSubmit={submit}
        onInput={() => forgetRefusal(action)}
        onBlurCapture={keepFromFields}
        noValidate
      >
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
          {error !== null && (
            <FailureAlert
              error={error}
              {...(props.isAtField === undefined ? {} : { isAtField: props.isAtField })}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" disabled={isPending} onClick={close}>
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
