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
    refuse: (times: number) => (refusals = times),
    /** From now on no mail is answered, or it is again. */
    stall: (now: boolean) => (stalled = now),
  };
}
