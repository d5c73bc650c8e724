import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { t } from '../../../i18n/messages.ts';
import { MediaWindow } from '../../../ui/media-query.ts';

interface PreviewFrameProps {
  readonly isPhone: boolean;
  /** The language of the preview, for its direction. */
  readonly lang: string;
  /** The field that is selected. */
  readonly selected: string | null;
  readonly onReady: (frame: HTMLIFrameElement) => void;
  readonly onPick: (element: Element) => void;
  readonly children: ReactNode;
}

const look = 'share full least-0 framed round-m surface';

/** A screen in a window of its own, so that it has the layout of that width. Clicks select; nothing in it can be used. */
export function PreviewFrame({ isPhone, lang, selected, onReady, onPick, children }: PreviewFrameProps) {
  const ref = useRef<HTMLIFrameElement>(null);
  const [body, setBody] = useState<HTMLElement | null>(null);
  const pick = useRef(onPick);
  pick.current = onPick;
  useEffect(() => {
    const frame = ref.current as HTMLIFrameElement;
    const page = frame.contentDocument as Document;
    const { documentElement: root, head } = page;
    root.className = 'editor-page';
    root.dataset.theme = document.documentElement.dataset.theme ?? '';
    for (const style of document.querySelectorAll('link[rel="stylesheet"], style'))
      head.append(page.importNode(style, true));
    for (const kind of ['click', 'pointerdown', 'mousedown', 'keydown', 'focusin', 'submit', 'dragstart'])
      page.addEventListener(
        kind,
        (event) => {
          event.preventDefault();
          event.stopPropagation();
          if (kind === 'click') pick.current(event.target as Element);
        },
        true,
      );
    setBody(page.body);
    onReady(frame);
  }, [onReady]);
  useEffect(() => {
    const page = body?.ownerDocument.documentElement;
    if (!page) return;
    page.lang = lang.replace('_', '-');
    page.dir = /^(ar|he|fa|ur)/.test(lang) ? 'rtl' : 'ltr';
  }, [body, lang]);
  useEffect(() => {
    const found = selected && body?.querySelector(`[data-name="${selected}"], [data-column="${selected}"]`);
    if (!found) return;
    found.classList.add('editor-picked');
    found.scrollIntoView({ block: 'nearest' });
    return () => found.classList.remove('editor-picked');
  });
  return (
    <>
      <iframe
        ref={ref}
        title={t('Preview')}
        tabIndex={-1}
        className={isPhone ? `${look} within self-centre editor-phone` : look}
      />
      {body &&
        createPortal(
          <MediaWindow value={body.ownerDocument.defaultView}>
            <div className="column surface tall least-0">{children}</div>
          </MediaWindow>,
          body,
        )}
    </>
  );
}
