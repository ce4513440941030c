import { credentialsDialog } from "./credentials.ts";
import { type Content, type Html, html } from "./html.ts";
import { sidebar } from "./sidebar.ts";
import type { Site } from "./site.ts";

export interface Page {
  title: string;
  /** The page's path below the prefix. */
  path: string;
  content: Content;
}

/** A whole page around its content. The script finds the addresses on the root element. */
export function layout(site: Site, { title, path, content }: Page): string {
  const { prefix, isSandbox } = site;
  const page = html`<!doctype html>
<html lang="en" data-api="${site.apiUrl}" data-identity="${site.identityUrl}" data-prefix="${prefix}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Florin API</title>
<link rel="icon" type="image/svg+xml" href="${site.iconUrl}">
<link rel="stylesheet" href="${site.styleUrl}">
<script src="${site.scriptUrl}" defer></script>
</head>
<body>
<a class="skip" href="#site-content">Skip to the content</a>
<header class="top">
<button type="button" class="menu" popovertarget="site-contents" aria-label="Contents">${menuIcon}</button>
<a class="brand" href="${prefix}/docs"><img src="${site.iconUrl}" alt="" width="26" height="26">Florin</a>
<span class="environment">${isSandbox ? "Sandbox" : "Production"}</span>
<span class="gap"></span>
<a class="plain wide-only" href="${prefix}/openapi.json">OpenAPI</a>
${isSandbox && credentialsButton}
</header>
<div class="frame">
${sidebar(site, path)}
<main id="site-content">${content}</main>
</div>
${isSandbox && credentialsDialog}
</body>
</html>
`;
  return page.markup;
}

const menuIcon: Html = html`<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path
 d="M3 5h14M3 10h14M3 15h14" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"/></svg>`;

const credentialsButton: Html = html`<button type="button" class="button" data-credentials-open>
<span class="dot" data-credentials-dot></span>Credentials</button>`;
