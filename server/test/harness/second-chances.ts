import type { Reporter, TestCase, Vitest } from "vitest/node";

/** Tells why a test failed that passed when it was tried again: nothing else does, and chance found it. */
export class SecondChances implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    this.#vitest?.logger.error(`Failed first: ${test.module.relativeModuleId} > ${test.fullName}`);
    for (const error of test.result().errors ?? []) this.#vitest?.logger.printError(error);
  }
}
