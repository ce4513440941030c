import type { Transporter } from "nodemailer";
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

/** With the first letter, because most processes never write one. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // What people write about themselves must not make it read our files or fetch addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
