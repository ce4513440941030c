/**
 * Nothing from elsewhere is loaded, nothing inline is run, and no other site may frame the page. A
 * sandbox's pages also call the API and the identity server; others connect to nothing.
 */
export function pageHeaders(identityUrl: string, isSandbox: boolean): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${isSandbox ? `'self' ${new URL(identityUrl).origin}` : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    "content-security-policy": policy.join("; "),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  };
}
