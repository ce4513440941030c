import type { Transporter } from "nodemailer";
import { isLoopback } from "../../foundation/address.ts";
import type { Mailer } from "./port.ts";

const TIMEOUT_MS = 10_000;

/** Hands letters to a mail server. */
export function smtpMailer(url: string, from: string): Mailer {
  let transport: Transporter | undefined;
  return {
    send: async (letter) => {
      transport ??= await openTransport(url);
      await transport.sendMail({ from, ...letter });
    },
    close: () => transport?.close(),
  };
}

/**
 * Letters have links that open accounts, so they leave this machine encrypted, even if somebody on the way says
 * that the server cannot. What the address itself asks for (`?requireTLS=false`) goes before this.
 */
export const needsTls = (url: string): boolean => !isLoopback(new URL(url).hostname);

/** With the first letter, because most processes never write one. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url,
    requireTLS: needsTls(url),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // What people write about themselves must not make it read our files or fetch addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
