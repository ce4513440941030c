import { afterAll, beforeAll } from "vitest";
import { cleanUp } from "../../../server/test/harness/process.ts";
import { startTestService, type TestService } from "../../../server/test/harness/service.ts";
import { type Ended, florin, florinJson } from "./command.ts";

/** Starts a service before the tests of a file and stops it after them; gives the commands that reach it. */
export function served(opened: (service: TestService) => void) {
  let service: TestService | undefined;
  beforeAll(async () => {
    service = await startTestService();
    opened(service);
  });
  afterAll(async () => {
    await cleanUp();
    await service?.stop();
  });
  const environment = (): Record<string, string> => service?.environment ?? {};
  return {
    run: (...args: string[]): Promise<Ended> => florin(args, environment()),
    json: (...args: string[]) => florinJson(args, environment()),
  };
}
