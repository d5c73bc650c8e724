import { t } from '../i18n/messages.ts';
import { Skeleton } from '../ui/parts.tsx';
import './styles.css';

const widths = [62, 48, 70, 55, 40, 66, 52, 58, 45, 63, 50, 57];

/** A placeholder while the view loads. */
export function WorkspaceSkeleton({ type }: { readonly type: string }) {
  return (
    <div className="column clip share wait" aria-busy="true" role="status">
      <span className="sr-only">{t('Loading')}</span>
      <div className="bar">
        <Skeleton width={110} />
        <Skeleton width={180} />
      </div>
      <div className={type === 'form' ? 'pad-5 wait-form' : 'wait-rows'}>
        {widths.map((width) => (
          <div key={width} className="row gap-5 lined wait-row">
            <Skeleton width="14%" />
            <Skeleton width={`${width}%`} />
          </div>
        ))}
      </div>
    </div>
  );
}
