/** What is written to somebody. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Takes letters to their recipients. */
export interface Mailer {
  send(letter: Letter): Promise<void>;
  close(): void;
}
