// Sends the e-mails of the control plane if `SMTP_URL` is set.
import type { MakeError } from './people-errors.ts';

export interface Mail {
  /** Returns whether `SMTP_URL` is set. */
  isSetUp(): boolean;
  /** Sends a message. Rejects with `MAIL` if the mail server refuses it or takes longer than 15 s. */
  send(to: string, subject: string, text: string): Promise<void>;
}

/** Timeout of one step of the SMTP dialogue, in milliseconds. */
const stepMs = 5_000;

/** @param url `smtp://user:password@host:587?from=hub@example.org`; an empty text disables mail */
export function createMail(url: string, planeUrl: () => string, makeError: MakeError): Mail {
  const sender = (): string => {
    const given = URL.canParse(url) ? new URL(url) : undefined;
    const user = decodeURIComponent(given?.username ?? '');
    return given?.searchParams.get('from') ?? (user.includes('@') ? user : `hub@${new URL(planeUrl()).hostname}`);
  };
  return {
    isSetUp: () => url !== '',
    async send(to, subject, text) {
      // The build cannot resolve named imports from a CommonJS package.
      const {
        default: { createTransport },
      } = await import('nodemailer');
      const server = new URL(url);
      server.searchParams.delete('from');
      for (const name of ['connectionTimeout', 'greetingTimeout', 'socketTimeout']) server.searchParams.set(name, String(stepMs));
      const transport = createTransport(server.href);
      try {
        // Reduces user-defined names to one line for use in the header.
        await transport.sendMail({ from: sender(), to, subject: subject.replace(/\s+/g, ' '), text });
      } catch (fault) {
        // Omits the server's response, which may contain the password.
        throw makeError('MAIL', {}, fault);
      } finally {
        transport.close();
      }
    },
  };
}
