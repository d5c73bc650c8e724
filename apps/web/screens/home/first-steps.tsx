import type { FirstStepsDone } from '@kontor/protocol';
import { useState } from 'react';
import { saveSetting } from '../../data/settings.ts';
import { t } from '../../i18n/messages.ts';
import { bootstrap } from '../../state/bootstrap.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

interface Step {
  readonly key: keyof FirstStepsDone;
  readonly title: string;
  readonly about: string;
  readonly href: string;
}

/** The first steps in a new installation, in the usual order. */
export function FirstSteps({ steps }: { readonly steps: FirstStepsDone }) {
  const [isHidden, setHidden] = useState(false);
  if (isHidden) return null;
  const list = stepList();
  const next = list.find(({ key }) => !steps[key]);
  const hide = () => {
    setHidden(true);
    saveSetting('home.steps', 'hidden', { delay: 0 });
  };
  return (
    <section
      className="stack shrink framed round-l surface gap-3 pad-5 shade card home-steps"
      aria-label={t('First steps')}
    >
      <header className="row apart gap-0">
        <h2>{t('First steps')}</h2>
        <IconButton icon="x" label={t('Hide the first steps')} onClick={hide} />
      </header>
      <ol className="stack gap-3">
        {list.map(({ key, title, about, href }) => (
          <li key={key} className={steps[key] ? 'is-done' : key === next?.key ? 'is-next' : ''}>
            <a className="edges tall framed line gap-3 pad-3 round-m" href={href}>
              <span className="middle rigid circle home-step-mark">
                {steps[key] && <Icon name="check" size={14} />}
              </span>
              <span className="stack gap-half shrink packed home-step-text">
                <b className={steps[key] ? 'medium mut' : 'semi'}>
                  {title}
                  {steps[key] && <span className="sr-only"> ({t('done')})</span>}
                </b>
                <span className="small mut">{about}</span>
              </span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

function stepList(): readonly Step[] {
  const company = `/web?action=base.companies&view_type=form&id=${bootstrap().activeCompanyId}`;
  return [
    {
      key: 'apps',
      title: t('Install an app'),
      about: t('Contacts, sales, projects: install what you need.'),
      href: '/web/apps',
    },
    {
      key: 'company',
      title: t('Add your company details'),
      about: t('Your address, tax ID and logo appear on printed documents.'),
      href: company,
    },
    {
      key: 'people',
      title: t('Invite your team'),
      about: t('Create users and choose their access rights.'),
      href: '/web?action=base.users&view_type=list',
    },
    {
      key: 'mail',
      title: t('Set up mail'),
      about: t('Enter your mail server and send a test.'),
      href: '/web?action=base.mail_servers&view_type=form',
    },
  ];
}
