/** A mail server within the test. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';
import { CERTIFICATE, KEY } from './test-certificate.ts';

interface Received {
  to: string[];
  text: string;
  secure: boolean;
}

/** A mail server with a certificate of its own authority, or without TLS. @param port default a free one */
export async function mailServer(tls: boolean, port = 0) {
  const mails: Received[] = [];
  const unknown = new Set<string>();
  let refusals = 0;
  let stalled = false;
  const server = new SMTPServer({
    key: KEY,
    cert: CERTIFICATE,
    authOptional: true,
    onAuth({ username, password }, _session, done) {
      if (password === 'hunter2') done(null, { user: username });
      else done(new Error('wrong name or password'));
    },
    onRcptTo({ address }, _session, done) {
      if (unknown.has(address)) done(Object.assign(new Error('no such user'), { responseCode: 550 }));
      else done();
    },
    disabledCommands: tls ? [] : ['STARTTLS'],
    onData(stream, session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        if (stalled) return;
        if (refusals > 0) {
          refusals -= 1;
          done(new Error('busy, come again'));
          return;
        }
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          text,
          secure: session.secure,
        });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    /** The addresses that the server does not know. */
    unknown,
    refuse: (times: number) => (refusals = times),
    /** From now on no mail is answered, or it is again. */
    stall: (now: boolean) => (stalled = now),
  };
}

export interface MailPart {
  /** Empty for the text. */
  filename: string;
  content: Buffer;
}

/** The decoded parts of a mail with attachments (RFC 2045). */
export function partsOf(mail: string): MailPart[] {
  const boundary = /boundary="([^"]+)"/.exec(mail)?.[1] ?? '';
  return mail
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [head = '', ...body] = part.split('\r\n\r\n');
      const content = body.join('\r\n\r\n').trimEnd();
      const filename = /filename="?([^"\r\n;]+)"?/.exec(head)?.[1] ?? '';
      return { filename, content: decoded(content, /Encoding: (\S+)/i.exec(head)?.[1] ?? '7bit') };
    });
}

function decoded(content: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(content, 'base64');
  if (encoding !== 'quoted-printable') return Buffer.from(content);
  const bytes = content
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
