import { afterAll, beforeAll } from "vitest";
import { logInOwner, type SignedIn } from "../../../server/test/harness/dashboard.ts";
import { Desk } from "./desk.ts";

interface OwnerDesk {
  desk: Desk;
  /** The sandbox's owner, signed in. */
  owner: SignedIn;
}

/** Opens the desk of a group of tests, at which its owner sits, before them, and closes it after them. */
export function ownerDesk(opened: (open: OwnerDesk) => void): void {
  let desk: Desk | undefined;
  beforeAll(async () => {
    desk = await Desk.open();
    opened({ desk, owner: await logInOwner(desk.service.sandbox) });
  });
  afterAll(() => desk?.close());
}
