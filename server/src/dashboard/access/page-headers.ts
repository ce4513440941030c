const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  // The components of the page place styles in elements of their own.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const COMMON: Record<string, string> = {
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  // Links in letters carry tokens, which must not travel on.
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

const SECURE = { ...COMMON, "strict-transport-security": "max-age=31536000" };

/** On every answer of the dashboard, page or not. */
export const securityHeaders = (dashboardUrl: string): Record<string, string> =>
  dashboardUrl.startsWith("https://") ? SECURE : COMMON;
