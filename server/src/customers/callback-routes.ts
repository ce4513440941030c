import { codes } from "../foundation/codes.ts";
import type { AnswerLog } from "../http/answer-log.ts";
import type { App } from "../http/app.ts";
import { type CallbackDeps, takeCallback } from "./callback.ts";

const MAX_BODY_BYTES = 64 * 1024;

export type CallbackRouteDeps = CallbackDeps & { answers: AnswerLog };

/** Where providers report. Open to everyone: what a call-back is worth is proved by its signature. */
export function callbackRoutes(app: App, deps: CallbackRouteDeps): void {
  app.register(async (scope) => {
    // The signature covers the very bytes, whatever they are said to be.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
    scope.post<{ Params: { provider: string }; Body: Buffer | undefined }>(
      "/callbacks/kyc/:provider",
      { bodyLimit: MAX_BODY_BYTES },
      async (request) => {
        const { params, body: rawBody = Buffer.alloc(0), headers } = request;
        await takeCallback(deps, { provider: params.provider, rawBody, headers });
        deps.answers.answered(request, codes.SUCCESS.httpStatus, codes.SUCCESS.code);
        return { received: true };
      },
    );
  });
}
