import { useEffect, useState } from 'react';
import {
  type ChatterFile,
  Dialog,
  fileHref,
  Icon,
  IconButton,
  readingKey,
  Skeleton,
  t,
  whileBusy,
} from '../../../door/index.ts';
import { isPicture } from './picture-type.ts';

interface PreviewProps {
  readonly file: ChatterFile;
  onClose(): void;
  /** To the previous (-1) or next file. */
  onGo(step: number): void;
}

/** Longer texts are truncated. */
const mostText = 200_000;

function isText(type: string): boolean {
  return /^text\/|^application\/(json|xml|x-yaml|javascript)$/.test(type);
}

/** Previews a file without leaving the record: images, PDF and text; others can be downloaded. */
export function FilePreview({ file, onClose, onGo }: PreviewProps) {
  const { id, name } = file;
  return (
    <Dialog
      title={name}
      width={960}
      onClose={onClose}
      footer={
        <>
          <IconButton icon="chevron-left" label={t('Previous')} onClick={() => onGo(-1)} />
          <IconButton icon="chevron-right" label={t('Next')} onClick={() => onGo(1)} />
          <a className="btn btn-default" href={fileHref(id)} download={name}>
            <Icon name="download" />
            {t('Download')}
          </a>
        </>
      }
    >
      <div
        role="presentation"
        className="middle preview"
        onKeyDown={(event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[readingKey(event.key)];
          if (step) onGo(step);
        }}
      >
        <Content key={id} file={file} />
      </div>
    </Dialog>
  );
}

function Content({ file: { id, name, type } }: { readonly file: ChatterFile }) {
  if (isPicture(type)) return <img className="round-s within preview-picture" src={fileHref(id)} alt={name} />;
  if (type === 'application/pdf' && navigator.pdfViewerEnabled) return <PdfFrame id={id} name={name} />;
  if (isText(type)) return <TextOf id={id} name={name} />;
  return <p className="dim">{t('This type of file cannot be previewed. Download it to open it.')}</p>;
}

/**
 * The server sends documents only as downloads, so that none runs as a page of this origin. The browser's viewer gets
 * the bytes.
 */
function PdfFrame({ id, name }: { readonly id: number; readonly name: string }) {
  const [address, setAddress] = useState('');
  useEffect(() => {
    let made = '';
    let isGone = false;
    void whileBusy(
      bytesOf(id).then((bytes) => {
        if (isGone) return;
        made = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
        setAddress(made);
      }),
    ).catch(() => {});
    return () => {
      isGone = true;
      URL.revokeObjectURL(made);
    };
  }, [id]);
  return address ? (
    <iframe className="full sunken round-s no-border preview-frame" src={address} title={name} />
  ) : (
    <Skeleton width="60%" />
  );
}

function TextOf({ id, name }: { readonly id: number; readonly name: string }) {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    void whileBusy(bytesOf(id).then((bytes) => setText(new TextDecoder().decode(bytes.slice(0, mostText))))).catch(
      () => {},
    );
  }, [id]);
  if (text === null) return <Skeleton width="60%" />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <pre className="scroll break sunken round-s pad-3 preview-text" tabIndex={0} role="region" aria-label={name}>
      {text}
    </pre>
  );
}

async function bytesOf(id: number): Promise<ArrayBuffer> {
  return (await fetch(fileHref(id))).arrayBuffer();
}
