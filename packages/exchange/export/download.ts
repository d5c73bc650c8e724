/** The target of an export. */
export interface Download {
  /** Called once, before the first part: until then a failure can still be reported as an error. */
  begin(file: DownloadFile): void;
  /** Resolves when more data is wanted. */
  write(part: Uint8Array): Promise<void>;
  /** The client has disconnected. */
  readonly signal: AbortSignal;
}

export interface DownloadFile {
  readonly name: string;
  readonly type: string;
}

/** `Quotations 2026-11-15.csv`, without characters that file systems reject. */
export function fileName(title: string, ending: string, day = ''): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names of records may hold them, names of files may not.
  const name = title.replaceAll(/[\x00-\x1f\x7f<>:"/\\|?*]+/g, ' ').trim();
  return `${[name.slice(0, 100), day].filter((part) => part !== '').join(' ') || 'export'}.${ending}`;
}
