import type { ArchField, ClientAddon } from '@kontor/protocol';
import { Component, type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import { showToast } from '../data/toasts.ts';
import type { FieldEditProps, FieldReadProps, FieldWidget } from '../fields/define-field.ts';
import { t } from '../i18n/messages.ts';
import { whileBusy } from '../state/idle.ts';
import { createStore, useStore } from '../state/store.ts';
import type { ClientDefinition } from '../workspace/define-client.ts';

/** The browser code of an addon. The loader itself is loaded on first use. */
export function loadClient(addon: ClientAddon): Promise<ClientDefinition> {
  return whileBusy(import('./load-client.ts').then((loader) => loader.loadClient(addon)));
}

/** The widget for a field, whatever its type. */
type WidgetMaker = (field: ArchField) => FieldWidget;

/**
 * A widget whose code is loaded on first render. While it loads, and if loading or rendering fails, the default widget
 * of the field's type is shown, so that the form stays usable.
 */
export function addonWidget(addon: ClientAddon, name: string, usual: WidgetMaker): WidgetMaker {
  const own = createStore<FieldWidget | null>(null);
  let state: 'waiting' | 'asked' | 'broken' = 'waiting';
  const fail = (error: unknown) => {
    if (state === 'broken') return;
    state = 'broken';
    own.set(null);
    reportFailure(addon, name, error);
  };
  const ask = () => {
    if (state !== 'waiting') return;
    state = 'asked';
    loadClient(addon).then(({ fields }) => own.set(fields.find((widget) => widget.name === name) ?? null), fail);
  };

  // biome-ignore lint/correctness/noComponentHookFactories: called once per widget, when the registry is filled.
  function Read(props: FieldReadProps) {
    const widget = useStore(own);
    useEffect(ask, []);
    return drawn(widget?.Read, usual(props.field).Read, props, fail);
  }

  // biome-ignore lint/correctness/noComponentHookFactories: called once per widget, when the registry is filled.
  function Edit(props: FieldEditProps) {
    const host = useRef<HTMLSpanElement>(null);
    const [widget, setWidget] = useState(own.get);
    useEffect(() => {
      const take = () => afterBlur(host.current, () => setWidget(own.get()));
      ask();
      take();
      return own.subscribe(take);
    }, []);
    const control = drawn(widget?.Edit, usual(props.field).Edit, props, fail);
    if (widget) return control;
    return (
      <span ref={host} style={{ display: 'contents' }}>
        {control}
      </span>
    );
  }

  return (field) => {
    const { toText, align, width, layout, isDirect, Edit: edited } = own.get() ?? usual(field);
    return {
      name,
      Read,
      Edit: edited && Edit,
      toText,
      ...(align && { align }),
      ...(width && { width }),
      ...(layout && { layout }),
      ...(isDirect && { isDirect }),
    };
  };
}

function reportFailure(addon: ClientAddon, name: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  showToast({
    kind: 'error',
    title: t('“{name}” of {addon} cannot be shown', { name, addon: addon.label }),
    body: t('Its fields are shown in a plain layout. {reason}', { reason }),
  });
}

/** Wait for blur: replacing a focused input would lose what is being typed. */
function afterBlur(host: HTMLElement | null, change: () => void): void {
  if (!host?.contains(document.activeElement)) {
    change();
    return;
  }
  const left = (event: FocusEvent) => {
    if (event.relatedTarget instanceof Node && host.contains(event.relatedTarget)) return;
    host.removeEventListener('focusout', left);
    change();
  };
  host.addEventListener('focusout', left);
}

function drawn<P extends object>(
  Own: ComponentType<P> | null | undefined,
  Plain: ComponentType<P> | null,
  props: P,
  fail: (error: unknown) => void,
): ReactNode {
  const plain = Plain && <Plain {...props} />;
  if (!Own) return plain;
  return (
    <Guard instead={plain} onError={fail}>
      <Own {...props} />
    </Guard>
  );
}

interface GuardProps {
  /** Rendered after a failure. */
  readonly instead: ReactNode;
  readonly onError: (error: unknown) => void;
  readonly children: ReactNode;
}

/** An error boundary around the code of an addon. React supports only classes for this. */
class Guard extends Component<GuardProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.instead : this.props.children;
  }
}
