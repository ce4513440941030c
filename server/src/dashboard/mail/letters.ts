import { html } from "../../docs/site/html.ts";
import type { Letter } from "./port.ts";

interface Draft {
  to: string;
  subject: string;
  paragraphs: string[];
  link?: { label: string; url: string };
}

/** The same letter as text and as markup; names in it are other people's words, and escaped. */
function letterOf({ to, subject, paragraphs, link }: Draft): Letter {
  const text = [...paragraphs, ...(link === undefined ? [] : [link.url])].join("\n\n");
  const { markup } = html`<!doctype html>
<html lang="en">
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}${
  link !== undefined && html`<p><a href="${link.url}">${link.label}</a></p>\n`
}</body>
</html>
`;
  return { to, subject, text: `${text}\n`, html: markup };
}

const ONCE = "The link works once, and for 24 hours.";
const IGNORE = "If you did not expect this letter, ignore it: nothing happens without you.";

export const signUpLetter = (to: string, name: string, organization: string, url: string): Letter =>
  letterOf({
    to,
    subject: "Finish your registration at Florin",
    paragraphs: [
      `Hello ${name},`,
      `choose a password to open the account of ${organization}. ${ONCE}`,
      IGNORE,
    ],
    link: { label: "Register", url },
  });

export const invitationLetter = (
  to: string,
  {
    name,
    inviter,
    organization,
    role,
  }: Record<"name" | "inviter" | "organization" | "role", string>,
  url: string,
): Letter =>
  letterOf({
    to,
    subject: `${inviter} invites you to ${organization} at Florin`,
    paragraphs: [
      `Hello ${name},`,
      `${inviter} invites you to the dashboard of ${organization}, as ${role}. ${ONCE}`,
      IGNORE,
    ],
    link: { label: "Accept the invitation", url },
  });

export const resetLetter = (to: string, name: string, url: string): Letter =>
  letterOf({
    to,
    subject: "Choose a new password at Florin",
    paragraphs: [
      `Hello ${name},`,
      "somebody has asked for a new password for this address. The link works once, and for one hour. " +
        "You will also need a code of your authenticator app, or a recovery code.",
      IGNORE,
    ],
    link: { label: "Choose a new password", url },
  });

/** To somebody who signs up or is invited with an address that is known already. */
export const knownAddressLetter = (to: string, name: string, url: string): Letter =>
  letterOf({
    to,
    subject: "You have an account at Florin",
    paragraphs: [
      `Hello ${name},`,
      "this address belongs to an account already, so that no other can be opened with it. Log in, or " +
        "choose a new password there if you have forgotten yours.",
      IGNORE,
    ],
    link: { label: "Log in", url },
  });

const NOT_YOU =
  "If that was not you, choose a new password at once and tell the owner of your organization.";

export const passwordChangedLetter = (to: string, name: string): Letter =>
  letterOf({
    to,
    subject: "Your password at Florin was changed",
    paragraphs: [
      `Hello ${name},`,
      "your password was changed, and everybody who was signed in with it has been signed out.",
      NOT_YOU,
    ],
  });

export const authenticatorChangedLetter = (to: string, name: string): Letter =>
  letterOf({
    to,
    subject: "Your authenticator app at Florin was changed",
    paragraphs: [
      `Hello ${name},`,
      "codes now come from another authenticator app. Those of the one before do not work any more, and " +
        "you have been signed out everywhere else.",
      NOT_YOU,
    ],
  });

export const recoveryCodesRenewedLetter = (to: string, name: string): Letter =>
  letterOf({
    to,
    subject: "Your recovery codes at Florin were renewed",
    paragraphs: [
      `Hello ${name},`,
      "you have new recovery codes. Those from before do not work any more, and you have been signed out " +
        "everywhere else.",
      NOT_YOU,
    ],
  });
