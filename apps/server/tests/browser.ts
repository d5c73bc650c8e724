export interface Envelope {
  readonly ok: boolean;
  readonly result: unknown;
  readonly error: { readonly code: string; readonly message: string; readonly details: Record<string, unknown> } | null;
}

export interface RpcReply extends Envelope {
  readonly status: number;
  readonly headers: Headers;
}

interface Flash {
  readonly kind: string;
  readonly title: string;
  readonly body: string;
}

/** What a caller of the server keeps between requests: cookies, the CSRF token, or an API key. */
export class Browser {
  readonly url: string;
  readonly cookies = new Map<string, string>();
  csrf = '';
  headers: Record<string, string> = {};

  constructor(url: string) {
    this.url = url;
  }

  static withKey(url: string, key: string): Browser {
    const caller = new Browser(url);
    caller.headers = { 'x-api-key': key };
    return caller;
  }

  async fetch(path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie === '' ? {} : { cookie }), ...this.headers, ...init.headers };
    const response = await fetch(this.url + path, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  /** The error of an answer in the envelope. */
  static async errorOf(response: Response): Promise<NonNullable<Envelope['error']>> {
    const { error } = (await response.json()) as Envelope;
    if (!error) throw new Error(`${response.url} answered without an error.`);
    return error;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(path, { headers });
  }

  /** A form as a page would send it, with the token of the session. */
  form(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    const body = new URLSearchParams({ ...(this.csrf === '' ? {} : { csrf_token: this.csrf }), ...fields });
    return this.fetch(path, { method: 'POST', body, headers });
  }

  json(path: string, value: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const token: Record<string, string> = this.csrf === '' ? {} : { 'x-csrf-token': this.csrf };
    const all = { 'content-type': 'application/json', ...token, ...headers };
    return this.fetch(path, { method: 'POST', body: JSON.stringify(value), headers: all });
  }

  async signIn(login: string, password: string): Promise<void> {
    const response = await this.json('/web/login', { login, password });
    const { result } = (await response.json()) as { result: { csrfToken: string } | null };
    if (!result) throw new Error(`${login} could not sign in: ${response.status}`);
    this.csrf = result.csrfToken;
  }

  /** The message of the last post, as the next page shows it. */
  async takeFlash(): Promise<Flash> {
    const page = await (await this.get('/web/profile')).text();
    const { toasts } = JSON.parse(/__WC_BOOTSTRAP__ = (.*?);<\/script>/s.exec(page)?.[1] ?? '{}');
    return toasts[0];
  }

  /** One call, whole: status, headers and envelope. */
  async call(body: unknown, headers: Record<string, string> = {}): Promise<RpcReply> {
    const response = await this.json('/api/rpc', body, headers);
    const envelope = (await response.json()) as Envelope;
    return { ...envelope, status: response.status, headers: response.headers };
  }

  async rpc<T = unknown>(model: string, method: string, args: unknown[] = [], kwargs: object = {}): Promise<T> {
    const { ok, result, error } = await this.call({ model, method, args, kwargs });
    if (!ok) throw Object.assign(new Error(`${error?.code}: ${error?.message}`), error);
    return result as T;
  }

  /** Status and error code of a call, for tables of what is refused. */
  async outcome(model: string, method: string, args: unknown[] = [], kwargs: object = {}): Promise<string> {
    const { ok, status, error } = await this.call({ model, method, args, kwargs });
    return ok ? 'OK' : `${status} ${error?.code}`;
  }

  private keep(line: string): void {
    const [pair = ''] = line.split(';', 1);
    const at = pair.indexOf('=');
    if (/;\s*max-age=0/i.test(line)) this.cookies.delete(pair.slice(0, at));
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}
