import { useEffect, useState } from 'react';
import { Button, connection, Icon, read, reviewTheirs, t, useStore, useStorePart } from '../../door/index.ts';
import { useOpenForm } from './use-form.ts';

/** Notices above the form: rejected saves, restored drafts, changes by others. */
export function NoticeBars() {
  const open = useOpenForm();
  const isRestored = useStorePart(open.form, (state) => state.isRestored);
  const isOutdated = useStorePart(open.form, (state) => state.theirs !== null);
  return (
    <>
      <GeneralErrors />
      {isOutdated && <Outdated />}
      {isRestored && (
        <div className="row lined ink bg-info-soft form-notice" role="status">
          <Icon name="rotate-ccw" />
          <span className="share">{t('Your changes from last time are restored. They are not saved yet.')}</span>
          <Button kind="bare" onClick={() => open.form.set((now) => ({ ...now, isRestored: false }))}>
            {t('Keep it')}
          </Button>
          <Button kind="bare" onClick={() => open.discard()}>
            {t('Discard')}
          </Button>
        </div>
      )}
    </>
  );
}

/**
 * Someone else saved another value in a field that is being edited here. It is applied only after the user has reviewed
 * it.
 */
function Outdated() {
  const { form } = useOpenForm();
  const { model, id } = form.get();
  const [name, setName] = useState('');
  useEffect(() => {
    read(model, [id], ['write_uid.name'], { isQuiet: true }).then(
      ([record]) => setName(String(record?.['write_uid.name'] ?? '')),
      () => {},
    );
  }, [model, id]);
  return (
    <div className="row lined ink warned form-notice" role="status">
      <Icon name="users" />
      <span className="share">
        {name ? t('{name} changed this in the meantime.', { name }) : t('Someone else changed this in the meantime.')}
      </span>
      <Button onClick={() => reviewTheirs(form)}>{t('Review')}</Button>
    </div>
  );
}

/** Errors that do not belong to a field on the form. */
function GeneralErrors() {
  const { form, workspace } = useOpenForm();
  const errors = useStorePart(form, (state) => state.errors);
  const requestId = useStorePart(form, (state) => state.requestId);
  const isLost = useStore(connection) === 'lost';
  const known = new Set(workspace.arch.fields.map((field) => field.name));
  const messages = Object.entries(errors).flatMap(([name, said]) => (known.has(name) ? [] : said));
  if (messages.length === 0) return null;
  return (
    <div className="row lined ink bg-bad-soft form-notice form-notice-bad" role="alert">
      <Icon name={isLost ? 'wifi-off' : 'circle-alert'} className="bad" />
      <span className="share">
        {messages.map((message) => t(message)).join(' ')}
        {requestId && <small className="tiny mut block">{t('Request {id}', { id: requestId })}</small>}
      </span>
    </div>
  );
}
