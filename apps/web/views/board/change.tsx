import { formatShare, Icon, t } from '../../door/index.ts';

/** An arrow and a number, so that the meaning does not depend on colour alone. */
export function Change({ share }: { readonly share: number | null }) {
  if (share === null) return <span className="small dim tile-none">–</span>;
  const look = share < 0 ? 'down' : share > 0 ? 'up' : 'same';
  return (
    <span
      className={`inline-row gap-half small mut strong digits nowrap tile-change ${look === 'down' ? 'bad' : look === 'up' ? 'ok' : ''}`}
    >
      {look !== 'same' && <Icon name={look === 'up' ? 'arrow-up' : 'arrow-down'} size={12} />}
      <span className="sr-only">{look === 'down' ? t('less by') : look === 'up' ? t('more by') : ''}</span>
      {formatShare(Math.abs(share))}
    </span>
  );
}
