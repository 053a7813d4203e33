/** Requests to the page that a browser would never let a script send, and a browser's own. */
import { type IncomingHttpHeaders, request } from 'node:http';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  bytes: Buffer;
}

/** Sends exactly these headers, and Host. */
export type Ask = (
  path: string,
  options?: { method?: string; headers?: Record<string, string>; body?: string | Buffer },
) => Promise<Answer>;

/** A browser's session: its cookie, and the token of the forms of the newest page. */
export interface Visit {
  cookie: string;
  readonly token: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Answer>;
  /** A body as it is. */
  send(path: string, contentType: string, body: string | Buffer): Promise<Answer>;
  upload(name: string, content: string | Buffer, fields?: Record<string, string>): Promise<Answer>;
}

/** Takes the address that was printed as the browser does. */
export async function enter(url: string, ask?: Ask): Promise<Visit> {
  const { port, pathname, search, origin } = new URL(url);
  const go: Ask = ask ?? ((path, given = {}) => send(Number(port), path, given));
  const opened = await go(`${pathname}${search}`, { headers: NAVIGATION });
  const cookie = (opened.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
  const own = {
    Cookie: cookie,
    'Sec-Fetch-Site': 'same-origin',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Dest': 'document',
  };
  const writing = { ...own, Origin: origin };
  const page = await go(opened.headers.location ?? '/', { headers: own });
  const landing = page.status === 303 ? await go(page.headers.location ?? '/', { headers: own }) : page;
  let token = '';
  const see = (answer: Answer) => {
    token = /name="_token" value="([^"]+)"/.exec(answer.text)?.[1] ?? token;
    return answer;
  };
  see(landing);
  return {
    cookie,
    get token() {
      return token;
    },
    get: async (path, headers = {}) => see(await go(path, { headers: { ...own, ...headers } })),
    post: (path, fields = {}, headers = {}) =>
      go(path, {
        method: 'POST',
        headers: { ...writing, 'Content-Type': FORM, ...headers },
        body: new URLSearchParams({ _token: token, ...fields }).toString(),
      }),
    send: (path, contentType, body) =>
      go(path, { method: 'POST', headers: { ...writing, 'Content-Type': contentType }, body }),
    upload: (name, content, fields = {}) => {
      const mark = '----test-boundary';
      const part = (head: string, body: string | Buffer) => [
        Buffer.from(`--${mark}\r\n${head}\r\n\r\n`),
        Buffer.from(body),
        Buffer.from('\r\n'),
      ];
      const body = Buffer.concat([
        ...Object.entries({ _token: token, ...fields }).flatMap(([key, value]) =>
          part(`Content-Disposition: form-data; name="${key}"`, value),
        ),
        ...part(
          `Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv`,
          content,
        ),
        Buffer.from(`--${mark}--\r\n`),
      ]);
      return go('/file', {
        method: 'POST',
        headers: { ...writing, 'Content-Type': `multipart/form-data; boundary=${mark}` },
        body,
      });
    },
  };
}

const FORM = 'application/x-www-form-urlencoded';

/** What a browser sends when a person opens an address. */
export const NAVIGATION = {
  'Sec-Fetch-Site': 'none',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
};

export function send(
  port: number,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | Buffer },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: {
          Host: `127.0.0.1:${port}`,
          ...headers,
          ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: bytes.toString(),
            bytes,
          });
        });
        answer.on('error', reject);
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

/** The fields of the form whose button answers a question of a page with yes. */
export function fieldsOfYes(page: string): Record<string, string> {
  return fieldsOf(page, 'name="sure"');
}

/** The fields of the first form of a page that contains this text. */
export function fieldsOf(page: string, text: string): Record<string, string> {
  const form = page.split('<form ').find((each) => each.includes(text));
  if (form === undefined) throw new Error(`the page has no form with ${text}`);
  const fields = (form.split('</form>')[0] ?? '').matchAll(/name="(\w+)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
}
