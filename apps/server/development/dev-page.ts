import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Config, directionOf } from '@kontor/kernel';
import { Html, html } from '@kontor/parts';
import type { DevRound } from '@kontor/protocol';

export interface DevPage {
  readonly url: string;
  close(): Promise<void>;
}

/** Instead of a server that cannot start: a page with the errors, which reloads every second. */
export async function openDevPage({ httpInterface, httpPort }: Config, last: () => DevRound): Promise<DevPage> {
  const server = createServer((_request, response) => {
    response.writeHead(503, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    });
    response.end(pageOf(last()));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(httpPort, httpInterface, resolve);
  });
  const { address, port } = server.address() as AddressInfo;
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const styles = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 860px; margin: 48px auto; padding: 0 16px }
li { margin: 16px 0; padding: 12px 16px; border-inline-start: 3px solid #c0392b; background: light-dark(#faf3f2, #2b1d1b) }
ol { padding: 0; list-style: none } code { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere } p { margin: 4px 0 }`;

function pageOf({ mistakes }: DevRound): string {
  const { markup } = html`<html lang="en" dir="${directionOf('en_US')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="1">
<title>${mistakes.length} mistakes · Kontor</title>
<style>${new Html(styles)}</style>
</head>
<body>
<h1>Kontor cannot start yet</h1>
<p>Mend what is below and save: it goes on by itself.</p>
<ol>${mistakes.map(
    ({ path, line, message, fix }) =>
      html`<li><code>${path}${line ? `:${line}` : ''}</code><p>${message}</p>${fix ? html`<p><b>${fix}</b></p>` : ''}</li>`,
  )}</ol>
</body>
</html>`;
  return `<!doctype html>\n${markup}`;
}
