import { Code, Collapse, Group, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Enrolment } from "../api/own-types.ts";
import { CopyText } from "../ui/copy.tsx";
import classes from "./totp-secret.module.css";

/** What an authenticator app scans, and the same to be typed. */
export function TotpSecret({ enrolment }: { enrolment: Enrolment }) {
  const [isShown, { toggle }] = useDisclosure(false);
  return (
    <>
      <Group justify="center">
        <img
          className={classes.qr}
          src={`data:image/svg+xml;utf8,${encodeURIComponent(enrolment.qrSvg)}`}
          alt="QR code of your secret; it can also be typed in, see below"
        />
      </Group>
      <UnstyledButton onClick={toggle} aria-expanded={isShown}>
        <Text size="sm" c="var(--mantine-color-anchor)">
          Cannot scan? Type the secret
        </Text>
      </UnstyledButton>
      <Collapse expanded={isShown}>
        <Code block component="div">
          <CopyText value={enrolment.secret} label="secret" />
        </Code>
      </Collapse>
    </>
  );
}
