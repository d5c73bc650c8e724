import { useRef, useState } from 'react';
import { t } from '../i18n/messages.ts';
import { Button } from '../ui/button.tsx';

/** A secret that is shown only once, with a copy button. */
export function Secret({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const code = useRef<HTMLElement>(null);
  // Insecure origins have no clipboard API; the selected text can be copied by hand.
  const select = () => getSelection()?.selectAllChildren(code.current as HTMLElement);
  const copy = () => {
    if (!navigator.clipboard) return select();
    navigator.clipboard.writeText(text).then(() => setCopied(true), select);
  };
  return (
    <div className="row wrap pad-y-2 toast-once">
      <code className="pad-2 break sunken round-s" ref={code}>
        {text}
      </code>
      <Button icon={isCopied ? 'check' : 'copy'} onClick={copy}>
        {isCopied ? t('Copied') : t('Copy')}
      </Button>
      <p className="mut">{t('It is shown only once. Store it somewhere safe.')}</p>
    </div>
  );
}
