import { useEffect, useRef, useState } from 'react';
import {
  bootstrap,
  type ChatterProps,
  IconButton,
  Menu,
  type MenuEntry,
  navigate,
  request,
  showError,
  t,
  whileBusy,
} from '../../../door/index.ts';

/** A template with the values of the record. */
export interface FilledTemplate {
  readonly subject: string;
  readonly body: string;
  readonly lang: string;
}

interface OfferedTemplate {
  readonly id: number;
  readonly name: string;
  readonly isShared: boolean;
}

interface InsertTemplateProps extends ChatterProps {
  onInsert(template: FilledTemplate): void;
}

/** The templates for this kind of record: by mouse, or by Alt+T and the arrow keys. */
export function InsertTemplate({ model, recordId, onInsert }: InsertTemplateProps) {
  const button = useRef<HTMLButtonElement | null>(null);
  const templates = useTemplates(model);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== 'KeyT') return;
      event.preventDefault();
      button.current?.click();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  const insert = async (template: number) => {
    const query = new URLSearchParams({ template: String(template), model, id: String(recordId) });
    try {
      const asked = request<FilledTemplate>(`${bootstrap().wcApiBase}/mail/template?${query}`);
      onInsert((await whileBusy(asked)).body);
    } catch (error) {
      showError(error);
    }
  };
  const entries: readonly MenuEntry[] = [
    ...templates.map(({ id, name, isShared }) => ({
      ...{ key: String(id), label: name, icon: 'file-text', ...(isShared ? { hint: t('Shared') } : {}) },
      run: () => void insert(id),
    })),
    {
      key: 'all',
      label: t('Write templates'),
      icon: 'pencil',
      section: '',
      run: () => navigate('/web?model=mail.template'),
    },
  ];
  return (
    <Menu
      entries={entries}
      label={t('Insert template')}
      trigger={({ ref, ...props }) => (
        <IconButton
          className="dim"
          icon="file-text"
          label={t('Insert template')}
          aria-keyshortcuts="Alt+T"
          ref={(element) => {
            button.current = element;
            if (typeof ref === 'function') ref(element);
            else if (ref) ref.current = element;
          }}
          {...props}
        />
      )}
    />
  );
}

const none: readonly OfferedTemplate[] = [];

function useTemplates(model: string): readonly OfferedTemplate[] {
  const [templates, setTemplates] = useState(none);
  useEffect(() => {
    let isOver = false;
    const query = new URLSearchParams({ model });
    request<{ templates: readonly OfferedTemplate[] }>(`${bootstrap().wcApiBase}/mail/templates?${query}`).then(
      ({ body }) => isOver || setTemplates(body.templates),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [model]);
  return templates;
}
