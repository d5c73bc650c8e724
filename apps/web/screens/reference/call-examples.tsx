import type { ReferenceExample, ReferenceModel } from '@kontor/protocol';
import { useRef, useState } from 'react';
import { announce } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../page.tsx';

/** Example API calls, as a command or as the request body. */
export function CallExamples({ model }: { readonly model: ReferenceModel }) {
  const [asCurl, setCurl] = useState(true);
  return (
    <Card
      title={t('Sample calls')}
      about={t('Set KEY to one of your API keys. Calls that change records are dry runs (dry_run).')}
    >
      <div className="line wrap gap-2 reference-forms" role="group" aria-label={t('Call format')}>
        <Button aria-pressed={asCurl} onClick={() => setCurl(true)}>
          curl
        </Button>
        <Button aria-pressed={!asCurl} onClick={() => setCurl(false)}>
          JSON
        </Button>
      </div>
      {model.examples.map((example) => (
        <Example key={example.method} example={example} text={asCurl ? curlOf(example) : example.body} />
      ))}
    </Card>
  );
}

function Example({ example, text }: { readonly example: ReferenceExample; readonly text: string }) {
  const [copied, setCopied] = useState('');
  const code = useRef<HTMLPreElement>(null);
  // Insecure origins have no clipboard API; the selected text can be copied by hand.
  const select = () => getSelection()?.selectAllChildren(code.current as HTMLElement);
  const copy = () => {
    if (!navigator.clipboard) return select();
    navigator.clipboard.writeText(text).then(() => {
      setCopied(text);
      announce(t('Copied'));
    }, select);
  };
  return (
    <section className="stack shrink reference-call">
      <header className="row apart">
        <h3 className="mono">{example.method}</h3>
        <Button
          icon={copied === text ? 'check' : 'copy'}
          onClick={copy}
          aria-label={t('Copy {name}', { name: example.method })}
        >
          {copied === text ? t('Copied') : t('Copy')}
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <pre className="scroll pad-3 small framed sunken round-m" ref={code} tabIndex={0} dir="ltr">
        {text}
      </pre>
    </section>
  );
}

/** A `'` ends a shell quote, so those in the body are escaped. */
function curlOf({ body }: ReferenceExample): string {
  const quoted = body.replaceAll("'", "'\\''");
  return `curl -s "${location.origin}/api/rpc" -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -d '${quoted}'`;
}
