import { Button, Center, Container, Loader } from "@mantine/core";
import { IconCompass, IconLock } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Page } from "../ui/page.tsx";
import { Empty, FailureAlert } from "../ui/states.tsx";

export function Waiting() {
  return (
    <Center mih="50vh">
      <Loader aria-label="Loading" />
    </Center>
  );
}

/** A screen that could not be fetched or drawn; the rest of the dashboard goes on. */
export function Broken({ error }: { error: unknown }) {
  return (
    <Container size="xs" py="xl" component="main">
      <FailureAlert error={error} onRetry={() => window.location.reload()} />
    </Container>
  );
}

export function NotFound() {
  return (
    <main>
      <h1 className="visually-hidden">Not found</h1>
      <Empty
        icon={IconCompass}
        title="There is nothing at this address"
        action={
          <Button component={Link} to="/">
            Go to the start
          </Button>
        }
      >
        It may have been mistyped, or what was here is gone.
      </Empty>
    </main>
  );
}

/** A screen behind a role, for whoever has got there all the same. */
export function NotForRole({ role }: { role: string }) {
  return (
    <Page title="Not for your role">
      <Empty
        icon={IconLock}
        title={`The role ${role} does not open this screen`}
        action={
          <Button component={Link} to="/">
            Go to the start
          </Button>
        }
      >
        Ask an owner of your organization if you need it. The team's page tells what roles may do.
      </Empty>
    </Page>
  );
}
