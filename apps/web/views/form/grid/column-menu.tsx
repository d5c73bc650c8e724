import { t } from '../../../i18n/messages.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useGrid } from './grid-context.ts';

/** Which optional columns are shown; kept for the person. */
export function GridColumnMenu() {
  const { choice } = useGrid();
  const entries = choice.optional.map(({ name, label }) => ({
    key: name,
    label,
    isChecked: !choice.isHidden(name),
    isSticky: true,
    run: () => choice.toggle(name),
  }));
  return (
    <Menu
      label={t('Columns')}
      align="end"
      entries={entries}
      trigger={(props) => <IconButton icon="sliders-horizontal" size={14} label={t('Columns')} {...props} />}
    />
  );
}
