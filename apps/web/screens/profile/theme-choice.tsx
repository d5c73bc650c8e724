import { t } from '../../i18n/messages.ts';
import { useBootstrap } from '../../state/bootstrap.ts';
import { setTheme, type Theme } from '../../ui/theme.ts';

/** Each choice shows what it looks like. */
export function ThemeChoice() {
  const { theme } = useBootstrap();
  const themes: readonly (readonly [Theme, string])[] = [
    ['system', t('As the system')],
    ['light', t('Light')],
    ['dark', t('Dark')],
  ];
  return (
    <div className="profile-themes" role="radiogroup" aria-label={t('Theme')}>
      {themes.map(([value, label]) => (
        <label key={value}>
          <input type="radio" name="theme" checked={theme === value} onChange={() => setTheme(value)} />
          <span className="profile-look" data-look={value} aria-hidden="true">
            <i />
            <i />
          </span>
          {label}
        </label>
      ))}
    </div>
  );
}
