import { expect, test } from "vitest";
import { authHeaders } from "./sign.ts";

const credentials = { appToken: "sbx:token", secretKey: "SoMeSeCrEtKeY" };

// The signatures were made with `openssl dgst -sha256 -hmac`.
test.each([
  [
    "/resources/accessTokens?userId=cfd20712-24a2-4c7d-9ab0-146f3c142335&levelName=basic-kyc-level&ttlInSecs=600",
    undefined,
    "a3863180cf7be121d54c9f3dc7596f4a3c49952f7dc99fb219a6197a10057558",
  ],
  [
    "/resources/applicants",
    Buffer.from('{"a":"é"}'),
    "c342fc84a96b027246dfce2b00454ab1127e7cefa2018131f992578322eaae0a",
  ],
])("a request to %s is signed as documented", (target, body, signature) => {
  const headers = authHeaders(credentials, { method: "POST", target, body }, 1_607_551_635_999);
  expect(headers).toEqual({
    "X-App-Token": "sbx:token",
    "X-App-Access-Ts": "1607551635",
    "X-App-Access-Sig": signature,
  });
});
