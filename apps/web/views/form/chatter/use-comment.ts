import { type RefObject, useEffect, useRef, useState } from 'react';
import {
  type ChatterProps,
  latestOnly,
  type Mention,
  onCatchUp,
  onEvent,
  type SentFile,
  sendComment,
  showError,
  showToast,
  t,
  toClientError,
  useStore,
  whileBusy,
  withMentions,
} from '../../../door/index.ts';
import {
  type ComposerMode,
  type Draft,
  draftKey,
  emptyDraft,
  loadDraft,
  type Recipient,
  saveDraft,
  takenBack,
} from './draft.ts';
import type { FilledTemplate } from './insert-template.tsx';
import { loadRecipients, type Suggested, sendOutside } from './outside-message.ts';
import { contentOf, maxBytes, maxFiles } from './send-files.ts';

export type Mark = 'bold' | 'italic' | 'list';

/** Typed texts by the line they are in. */
export interface Unknown {
  readonly to: string;
  readonly cc: string;
}

const nothingTyped: Unknown = { to: '', cc: '' };

export interface CommentBox {
  readonly mode: ComposerMode;
  readonly text: string;
  readonly files: readonly SentFile[];
  /** Names of files that a reload lost. */
  readonly missing: readonly string[];
  /** Who receives a message; null until the server has proposed somebody. */
  readonly to: readonly Recipient[] | null;
  /** What was typed as a recipient and is none yet; nothing is sent while there is some. */
  readonly unknown: Unknown;
  readonly cc: readonly Recipient[];
  /** Who else had the e-mail that is answered, and would not get the message. */
  readonly others: readonly Recipient[];
  readonly subject: string;
  /** Contacts who get a copy because they follow the record. */
  readonly followers: readonly Recipient[];
  /** Names of colleagues who follow it. */
  readonly colleagues: readonly string[];
  readonly isSending: boolean;
  readonly isSigned: boolean;
  /** The text after the last @; null if no mention is being typed. */
  readonly wanted: string | null;
  setMode(mode: ComposerMode): void;
  setTo(to: readonly Recipient[]): void;
  setUnknown(unknown: Partial<Unknown>): void;
  setCc(cc: readonly Recipient[]): void;
  setSubject(subject: string): void;
  setSigned(isSigned: boolean): void;
  /** Puts a template where the caret is; its subject replaces the proposed one. */
  insert(template: FilledTemplate): void;
  write(text: string, caret: number): void;
  pick(person: Mention): void;
  mark(kind: Mark): void;
  attach(files: Iterable<File>): Promise<void>;
  detach(at: number): void;
  forgetMissing(): void;
  stopMention(): void;
  /** Posts the note, or sends the message: at once, or at a time. */
  send(at?: string): void;
}

/** The draft of a note or message, kept in this browser until it is sent. */
// Over 60 lines: all functions change the same draft.
export function useComment(
  props: ChatterProps,
  input: RefObject<HTMLTextAreaElement | null>,
  usualMode: ComposerMode,
): CommentBox {
  const { model, recordId } = props;
  const [draft, setDraft] = useState(() => loadDraft(model, recordId));
  const [files, setFiles] = useState<readonly SentFile[]>([]);
  const [wanted, setWanted] = useState<string | null>(null);
  const [unknown, setUnknown] = useState(nothingTyped);
  const [isSending, setSending] = useState(false);
  const mode = draft.mode ?? usualMode;
  const suggested = useSuggested(props, mode);
  // Files are read and messages sent while somebody types on.
  const latest = useRef(draft);
  latest.current = draft;
  const change = (values: Partial<Draft>) => {
    latest.current = { ...latest.current, ...values };
    setDraft(latest.current);
    saveDraft(model, recordId, latest.current);
  };
  const clear = () => {
    setDraft({ ...emptyDraft, mode });
    saveDraft(model, recordId, emptyDraft);
    setFiles([]);
    setWanted(null);
    setUnknown(nothingTyped);
  };
  const back = useStore(takenBack);
  useEffect(() => {
    if (back?.key !== draftKey(model, recordId)) return;
    takenBack.set(null);
    setDraft(back.draft);
    setFiles(back.files);
    input.current?.focus();
  }, [back, model, recordId, input]);
  /** Sets the caret, once the new text is rendered. */
  const select = (start: number, end = start) =>
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(start, end);
    });
  const keepFiles = (next: readonly SentFile[]) => {
    setFiles(next);
    const lost = (draft.fileNames ?? []).filter((name) => !files.some((file) => file.name === name));
    const names = new Set([...next.map(({ name }) => name), ...lost]);
    change({ fileNames: [...names] });
  };
  const { text } = draft;
  const to = draft.to ?? suggested?.to ?? null;
  const cc = draft.cc ?? [];
  const receiving = new Set([...(to ?? []), ...cc].map(({ address }) => address.toLowerCase()));
  const others = (suggested?.others ?? []).filter(({ address }) => !receiving.has(address.toLowerCase()));
  const subject = draft.subject ?? suggested?.subject ?? '';
  const isSigned = draft.isSigned ?? true;
  const sendMessage = async (body: string, at: string | null) => {
    const key = draft.key ?? crypto.randomUUID();
    change({ key });
    setSending(true);
    try {
      const message = { to: to ?? [], cc, subject, text, body, files, at, isSigned, lang: draft.lang, key };
      await whileBusy(sendOutside(props, message));
      clear();
    } catch (error) {
      // Refused, so that nothing was sent. Without an answer it may have been.
      const { status } = toClientError(error);
      if (status >= 400 && status < 500) change({ key: undefined });
      showError(error);
    }
    setSending(false);
  };
  return {
    missing: (draft.fileNames ?? []).filter((name) => !files.some((file) => file.name === name)),
    ...{
      mode,
      text,
      files,
      to,
      unknown,
      cc,
      others,
      subject,
      wanted,
      isSending,
      isSigned,
      followers: suggested?.followers ?? [],
      colleagues: suggested?.colleagues ?? [],
    },
    setMode: (next) => change({ mode: next }),
    setTo: (next) => change({ to: next }),
    setCc: (next) => change({ cc: next }),
    setUnknown: (typed) => setUnknown((now) => ({ ...now, ...typed })),
    setSubject: (next) => change({ subject: next }),
    setSigned: (next) => change({ isSigned: next }),
    insert(template) {
      const { selectionStart = text.length, selectionEnd = text.length } = input.current ?? {};
      const head = text.slice(0, selectionStart) + template.body;
      const isAnswer = /^re:/i.test(subject);
      change({
        text: head + text.slice(selectionEnd),
        lang: template.lang,
        ...(isAnswer ? {} : { subject: template.subject }),
      });
      select(head.length);
    },
    write(next, caret) {
      change({ text: next });
      setWanted(/(?:^|\s)@([\p{L}\p{N}. -]{0,40})$/u.exec(next.slice(0, caret))?.[1] ?? null);
    },
    pick(person) {
      const caret = input.current?.selectionStart ?? text.length;
      const head = text.slice(0, caret).replace(/@[^@]*$/, `@${person.name} `);
      const mentions = [...draft.mentions.filter((one) => one.id !== person.id), person];
      change({ text: head + text.slice(caret), mentions });
      setWanted(null);
      select(head.length);
    },
    mark(kind) {
      const { selectionStart = text.length, selectionEnd = text.length } = input.current ?? {};
      const made = marked(text, selectionStart, selectionEnd, kind);
      change({ text: made.text });
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
      keepFiles([...files.filter(({ name }) => !names.has(name)), ...read.filter(({ data }) => data !== '')]);
    },
    detach: (at) => keepFiles(files.filter((_, index) => index !== at)),
    forgetMissing: () => change({ fileNames: files.map(({ name }) => name) }),
    stopMention: () => setWanted(null),
    send(at) {
      const body = text.trim();
      if ((body === '' && files.length === 0) || isSending) return;
      const marked = withMentions(body, draft.mentions);
      if (mode === 'message' && `${unknown.to}${unknown.cc}`.trim() !== '') return;
      if (mode === 'message') return void sendMessage(marked, at ?? null);
      sendComment({ model, id: recordId, body: marked, files }, body);
      clear();
    },
  };
}

/** Who a message would go to, asked when somebody begins one and again when something is posted. */
function useSuggested(props: ChatterProps, mode: ComposerMode): Suggested | null {
  const { model, recordId } = props;
  const [suggested, setSuggested] = useState<Suggested | null>(null);
  useEffect(() => {
    if (mode !== 'message') return;
    const load = latestOnly(() => loadRecipients({ model, recordId }), setSuggested);
    const refresh = () => void load().catch(() => {});
    refresh();
    // Who wrote last is proposed.
    const stops = [
      onEvent('chatter.posted', (payload) => {
        if (payload.model === model && payload.id === recordId) refresh();
      }),
      onCatchUp(refresh),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [mode, model, recordId]);
  return suggested;
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
