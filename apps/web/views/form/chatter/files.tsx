import { type DragEvent, useRef, useState } from 'react';
import {
  Button,
  type ChatterProps,
  Checkbox,
  fileHref,
  formatDateTime,
  formatRelative,
  Icon,
  IconButton,
  locale,
  outgoing,
  type RecordFile,
  Skeleton,
  saveFile,
  showError,
  t,
  tn,
  useStore,
  whileBusy,
  zipFile,
} from '../../../door/index.ts';
import { FilePreview } from './file-preview.tsx';
import { isPicture } from './picture-type.ts';
import { sendFiles } from './send-files.ts';
import { useFiles } from './use-files.ts';
import './files.css';

interface FilesProps extends ChatterProps {
  /** The number of files has changed. */
  onChange(): void;
}

/** All files of a record: added by drop, previewed in place, removed with Undo, one or several at once. */
export function Files({ model, recordId, onChange }: FilesProps) {
  const files = useFiles({ model, recordId }, onChange);
  const list = files.list ?? [];
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [shown, setShown] = useState<number | null>(null);
  const send = (some: Iterable<File>) => void sendFiles({ model, recordId }, some).catch(showError);
  const { isOver, ...drop } = useDrop(send);
  const marked = list.filter(({ id }) => chosen.has(id));
  const remove = (some: readonly RecordFile[]) => {
    setChosen(new Set());
    setShown(null);
    void files.remove(some).catch(showError);
  };
  const choose = (id: number, isChosen: boolean) =>
    setChosen((now) => new Set(isChosen ? [...now, id] : [...now].filter((one) => one !== id)));
  return (
    <div className={`scroll share pad-3-4 files ${isOver ? 'is-over' : ''}`} {...drop}>
      <FilesHead marked={marked} onSend={send} onRemove={() => remove(marked)} />
      {files.list === null && <Skeleton width="70%" />}
      {files.list?.length === 0 && <p className="dim files-none">{t('No files yet.')}</p>}
      <ul className="stack gap-half" aria-label={t('Files')}>
        <SendingFiles model={model} recordId={recordId} />
        {list.map((file, at) => (
          <FileRow
            key={file.id}
            file={file}
            isChosen={chosen.has(file.id)}
            onChoose={(isChosen) => choose(file.id, isChosen)}
            onShow={() => setShown(at)}
            onRemove={() => remove([file])}
          />
        ))}
      </ul>
      {shown !== null && list[shown] && (
        <FilePreview
          file={list[shown]}
          onClose={() => setShown(null)}
          onGo={(step) => setShown((shown + step + list.length) % list.length)}
        />
      )}
    </div>
  );
}

interface FilesHeadProps {
  readonly marked: readonly RecordFile[];
  readonly onSend: (files: Iterable<File>) => void;
  readonly onRemove: () => void;
}

/** Adds files, or acts on the selected ones. */
function FilesHead({ marked, onSend, onRemove }: FilesHeadProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <div className="row wrap target below-3 files-head">
      {marked.length > 0 ? (
        <>
          <span className="semi files-count">{tn('{n} selected', '{n} selected', marked.length)}</span>
          <Button icon="download" onClick={() => void whileBusy(download(marked)).catch(showError)}>
            {t('Download')}
          </Button>
          {marked.every(({ mayRemove }) => mayRemove) && (
            <Button icon="trash-2" onClick={onRemove}>
              {t('Remove')}
            </Button>
          )}
        </>
      ) : (
        <>
          <Button icon="upload" onClick={() => chooser.current?.click()}>
            {t('Add files')}
          </Button>
          <span className="small mut">{t('or drop them here')}</span>
        </>
      )}
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label={t('Add files')}
        onChange={(event) => {
          onSend(event.target.files ?? []);
          event.target.value = '';
        }}
      />
    </div>
  );
}

interface FileRowProps {
  readonly file: RecordFile;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
  readonly onShow: () => void;
  readonly onRemove: () => void;
}

function FileRow({ file, isChosen, onChoose, onShow, onRemove }: FileRowProps) {
  return (
    <li className="row gap-half shrink round-m hovers-within files-row">
      <Checkbox label={t('Select {name}', { name: file.name })} isChecked={isChosen} onChange={onChoose} />
      <button type="button" className="row grow start round-m files-open" title={file.name} onClick={onShow}>
        <FileMark file={file} />
        <span className="shrink stack gap-0">
          <b className="cut semi">{file.name}</b>
          <small className="small mut" title={formatDateTime(file.date)}>
            {[sizeText(file.size), file.author.name, formatRelative(file.date)].join(' · ')}
          </small>
        </span>
      </button>
      <a
        className="icon-btn mut"
        href={fileHref(file.id)}
        download={file.name}
        aria-label={t('Download {name}', { name: file.name })}
        title={t('Download')}
      >
        <Icon name="download" />
      </a>
      {file.mayRemove && (
        <IconButton className="mut" icon="trash-2" label={t('Remove {name}', { name: file.name })} onClick={onRemove} />
      )}
    </li>
  );
}

/** Files that are being uploaded. */
function SendingFiles({ model, recordId }: ChatterProps) {
  const waiting = useStore(outgoing).filter((comment) => comment.model === model && comment.id === recordId);
  return waiting.flatMap(({ key, files, problem }) =>
    files.map(({ name }) => (
      <li key={`${key} ${name}`} className="row gap-half shrink round-m hovers-within files-row mut gap-3 pad-1h">
        <Icon name="upload" />
        <span className="shrink stack gap-0">
          <b className="cut semi" title={name}>
            {name}
          </b>
          <small className="small mut">{problem ? t(problem) : t('sending …')}</small>
        </span>
      </li>
    )),
  );
}

function FileMark({ file }: { readonly file: RecordFile }) {
  if (isPicture(file.type))
    return (
      <img
        className="middle rigid mut surface round-s framed square-36 crop"
        src={fileHref(file.id)}
        alt=""
        loading="lazy"
      />
    );
  return (
    <span className="middle rigid mut surface round-s framed square-36 crop">
      <Icon name="file-text" />
    </span>
  );
}

function sizeText(bytes: number): string {
  const isLarge = bytes >= 1_000_000;
  const value = isLarge ? bytes / 1_000_000 : Math.max(1, Math.round(bytes / 1000));
  const unit = isLarge ? 'megabyte' : 'kilobyte';
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}

/** One file as it is, several as a ZIP. Duplicate names are numbered. */
async function download(files: readonly RecordFile[]): Promise<void> {
  const parts = await Promise.all(
    files.map(async ({ id, name }, at) => {
      const before = files.slice(0, at).filter((other) => other.name === name).length;
      const bytes = new Uint8Array(await (await fetch(fileHref(id))).arrayBuffer());
      return { name: before === 0 ? name : name.replace(/(\.\w+)?$/, ` (${before + 1})$1`), bytes };
    }),
  );
  const [first] = parts;
  if (parts.length === 1 && first) return saveFile(new Blob([first.bytes]), first.name);
  saveFile(await zipFile(parts), `${t('Files')}.zip`);
}

/** Accepts files dropped from outside of the browser. */
function useDrop(onFiles: (files: FileList) => void) {
  const [isOver, setOver] = useState(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return {
    isOver,
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      onFiles(event.dataTransfer.files);
    },
  };
}
