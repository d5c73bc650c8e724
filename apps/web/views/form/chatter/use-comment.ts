import { type RefObject, useState } from 'react';
import {
  bootstrap,
  type ChatterProps,
  type Mention,
  type SentFile,
  sendComment,
  showToast,
  t,
  withMentions,
} from '../../../door/index.ts';
import { contentOf, maxBytes, maxFiles } from './send-files.ts';

export type Mark = 'bold' | 'italic' | 'list';

export interface CommentBox {
  readonly text: string;
  readonly files: readonly SentFile[];
  /** The text after the last @; null if no mention is being typed. */
  readonly wanted: string | null;
  write(text: string, caret: number): void;
  pick(person: Mention): void;
  mark(kind: Mark): void;
  attach(files: Iterable<File>): Promise<void>;
  detach(at: number): void;
  stopMention(): void;
  send(): void;
}

/** The draft of a comment, kept in this browser until it is sent. */
// Over 60 lines: all functions change the same draft.
export function useComment(
  { model, recordId }: ChatterProps,
  input: RefObject<HTMLTextAreaElement | null>,
): CommentBox {
  const [draft, setDraft] = useState(() => loadComment(model, recordId));
  const [files, setFiles] = useState<readonly SentFile[]>([]);
  const [wanted, setWanted] = useState<string | null>(null);
  const change = (text: string, mentions = draft.mentions) => {
    setDraft({ text, mentions });
    saveComment(model, recordId, { text, mentions });
  };
  /** Sets the caret, once the new text is rendered. */
  const select = (start: number, end = start) =>
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(start, end);
    });
  const { text } = draft;
  return {
    text,
    files,
    wanted,
    write(next, caret) {
      change(next);
      setWanted(/(?:^|\s)@([\p{L}\p{N}. -]{0,40})$/u.exec(next.slice(0, caret))?.[1] ?? null);
    },
    pick(person) {
      const caret = input.current?.selectionStart ?? text.length;
      const head = text.slice(0, caret).replace(/@[^@]*$/, `@${person.name} `);
      change(head + text.slice(caret), [...draft.mentions.filter((one) => one.id !== person.id), person]);
      setWanted(null);
      select(head.length);
    },
    mark(kind) {
      const { selectionStart = text.length, selectionEnd = text.length } = input.current ?? {};
      const made = marked(text, selectionStart, selectionEnd, kind);
      change(made.text);
      select(made.start, made.end);
    },
    async attach(chosen) {
      const all = [...chosen];
      const bytes =
        all.reduce((sum, file) => sum + file.size, 0) + files.reduce((sum, one) => sum + one.data.length * 0.75, 0);
      if (bytes > maxBytes || files.length + all.length > maxFiles) {
        const title = t('A message can have at most {n} files and {mb} MB.', {
          n: maxFiles,
          mb: maxBytes / 1_000_000,
        });
        return void showToast({ kind: 'error', title });
      }
      const read = await Promise.all(all.map(contentOf));
      const names = new Set(read.map(({ name }) => name));
      setFiles((now) => [...now.filter(({ name }) => !names.has(name)), ...read.filter(({ data }) => data !== '')]);
    },
    detach: (at) => setFiles((now) => now.filter((_, index) => index !== at)),
    stopMention: () => setWanted(null),
    send() {
      const body = text.trim();
      if (body === '' && files.length === 0) return;
      sendComment({ model, id: recordId, body: withMentions(body, draft.mentions), files }, body);
      change('', []);
      setFiles([]);
      setWanted(null);
    },
  };
}

/** Bold and italic wrap the selection; a list prefixes every selected line. */
function marked(text: string, start: number, end: number, kind: Mark) {
  if (kind === 'list') {
    const from = text.lastIndexOf('\n', start - 1) + 1;
    const lines = text.slice(from, end).split('\n');
    const listed = lines.map((line) => `- ${line}`).join('\n');
    const to = end + lines.length * 2;
    return { text: text.slice(0, from) + listed + text.slice(end), start: to, end: to };
  }
  const sign = kind === 'bold' ? '**' : '*';
  const inner = text.slice(start, end);
  const at = start + sign.length;
  return { text: text.slice(0, start) + sign + inner + sign + text.slice(end), start: at, end: at + inner.length };
}

/** An unsent comment, kept in this browser. */
interface CommentDraft {
  readonly text: string;
  readonly mentions: readonly Mention[];
}

const empty: CommentDraft = { text: '', mentions: [] };

function loadComment(model: string, id: number): CommentDraft {
  try {
    const text = localStorage.getItem(keyOf(model, id));
    return text ? (JSON.parse(text) as CommentDraft) : empty;
  } catch {
    return empty;
  }
}

function saveComment(model: string, id: number, draft: CommentDraft): void {
  try {
    if (draft.text === '') localStorage.removeItem(keyOf(model, id));
    else localStorage.setItem(keyOf(model, id), JSON.stringify(draft));
  } catch {
    // Typing must not fail if storage is full or blocked.
  }
}

function keyOf(model: string, id: number): string {
  return `kontor:comment:${bootstrap().user.id}:${model}:${id}`;
}
