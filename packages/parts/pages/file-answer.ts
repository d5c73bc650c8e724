interface AnsweredFile {
  readonly name: string;
  /** A media type; default: that of bytes of any kind. */
  readonly type?: string;
  readonly content: Buffer;
  /** The browser shows it. Only for types that run nothing. Default: it is downloaded. */
  readonly isShown?: boolean;
  /** In addition; by default nobody keeps a copy. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A file as the answer of a route.
 * ```ts
 * export const readme: RouteAnswer = fileAnswer({ name: 'readme.txt', content: Buffer.from('Bring it back.') });
 * ```
 */
export function fileAnswer({ name, type, content, isShown = false, headers = {} }: AnsweredFile) {
  const named = /^[\w.-]+$/.test(name) ? `filename="${name}"` : `filename*=UTF-8''${encodeURIComponent(name)}`;
  return {
    headers: {
      'content-type': type ?? 'application/octet-stream',
      'content-disposition': `${isShown ? 'inline' : 'attachment'}; ${named}`,
      'cache-control': 'private, no-store',
      ...headers,
    },
    body: content,
  };
}
