import { t } from '../../i18n/messages.ts';
import type { MenuEntry } from '../../ui/menu.tsx';
import type { CurrencyChoice } from './currency.ts';
import { Pick, Switch, SwitchButton } from './picks.tsx';
import type { Analysis } from './use-analysis.ts';

interface CurrencyProps {
  readonly analysis: Analysis;
  readonly currency: CurrencyChoice;
}

/** Chooses one of several currencies, or in tables all of them. */
export function CurrencyPick({ analysis, currency }: CurrencyProps) {
  const { moneyIn } = analysis.workspace.arch;
  if (currency.codes.length < 2 && !moneyIn) return null;
  const target = moneyIn?.asked ?? '';
  const entry = (key: string, label: string): MenuEntry => ({
    ...{ key, label, isChecked: key === target },
    run: () => analysis.change({ options: { convert: key, currency: '' } }),
  });
  const codes = currency.codes.filter((code) => code !== null);
  const all = [...new Set([...codes, ...(moneyIn && target !== 'company' ? [target] : [])])];
  const entries = [
    entry('', t('Each currency')),
    entry('company', t('Company currency')),
    ...all.map((code) => entry(code, t('All in {code}', { code }))),
  ];
  const value = moneyIn ? t('All in {code}', { code: moneyIn.code }) : t('Each currency');
  return (
    <>
      {currency.codes.length > 1 && <CurrencySwitch {...{ analysis, currency }} />}
      <Pick isChip name={t('Convert')} value={value} entries={entries} />
    </>
  );
}

/** Which of several currencies is shown. */
function CurrencySwitch({ analysis, currency }: { readonly analysis: Analysis; readonly currency: CurrencyChoice }) {
  return (
    <Switch label={t('Currency')}>
      {currency.isAll !== undefined && (
        <SwitchButton isOn={currency.isAll} onClick={() => analysis.change({ options: { currency: '' } })}>
          {t('All')}
        </SwitchButton>
      )}
      {currency.codes.map((code) => (
        <SwitchButton
          key={code ?? '-'}
          isOn={!currency.isAll && code === currency.code}
          onClick={() => analysis.change({ options: { currency: code ?? '-' } })}
        >
          {code ?? t('None')}
        </SwitchButton>
      ))}
    </Switch>
  );
}
