import type { Pool } from "../../db/pool.ts";
import { Failure } from "../../foundation/failure.ts";
import { isId, newId } from "../../foundation/ids.ts";
import type { Letter, Mailer } from "./port.ts";

/** A sandbox keeps the latest letters only. */
const MAX_KEPT = 500;
const MAX_LISTED = 100;

interface MailRow {
  mailId: string;
  at: Date;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Keeps what would have been sent, for a page that shows it. */
export function mailboxMailer(pool: Pool): Mailer {
  return {
    send: (letter) => keep(pool, letter),
    close: () => undefined,
  };
}

async function keep(pool: Pool, { to, subject, text, html }: Letter): Promise<void> {
  const now = new Date();
  await pool.query(
    `insert into mailbox (mail_id, recipient, subject, text_body, html_body, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [newId("mail", now.getTime()), to, subject, text, html, now],
  );
  await pool.query(
    `delete from mailbox where mail_id < (
       select mail_id from mailbox order by mail_id desc offset $1 limit 1)`,
    [MAX_KEPT - 1],
  );
}

const COLUMNS = `mail_id as "mailId", created_at as at, recipient as to, subject,
  text_body as text, html_body as html`;

export async function readMailbox(pool: Pool) {
  const { rows } = await pool.query<MailRow>(
    `select ${COLUMNS} from mailbox order by mail_id desc limit $1`,
    [MAX_LISTED],
  );
  return rows.map(headOf);
}

export async function readMail(pool: Pool, mailId: string) {
  const { rows } = isId("mail", mailId)
    ? await pool.query<MailRow>(`select ${COLUMNS} from mailbox where mail_id = $1`, [mailId])
    : { rows: [] };
  const [row] = rows;
  if (row === undefined) throw new Failure("UNABLE_TO_LOCATE_RECORD");
  const { text, html } = row;
  return { ...headOf(row), text, html, links: text.match(/https?:\/\/\S+/g) ?? [] };
}

const headOf = ({ mailId, at, to, subject }: MailRow) => ({
  mailId,
  at: at.toISOString(),
  to,
  subject,
});
