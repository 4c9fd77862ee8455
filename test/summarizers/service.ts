import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a service does with a question. */
export type Act = (response: ServerResponse, asked: Asked) => void;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly host: string;
  readonly asked: Asked[];
}

/** A service on the loopback that plays its acts in order, the last one for ever. */
export async function serve(...acts: Act[]): Promise<Service> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Asked['body'];
      const entry = { method, path, headers, body };
      asked.push(entry);
      acts[Math.min(asked.length, acts.length) - 1]?.(response, entry);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with a status and JSON. */
export function says(status: number, body: unknown, headers: Record<string, string> = {}): Act {
  return raw(status, JSON.stringify(body), headers);
}

/** Answers with a status and a body that claims to be JSON. */
export function raw(status: number, body: string, headers: Record<string, string> = {}): Act {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };
}

/** Sends half of an answer, then breaks the connection. */
export const breaks: Act = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"id":', () => response.destroy());
};

/** Never answers. */
export const sleeps: Act = () => undefined;
