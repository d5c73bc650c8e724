import { useEffect, useState } from 'react';
import { hasFeature } from '../../state/bootstrap.ts';

/** A CSV file or workbook that somebody who may customise dropped on the page. */
export function useDroppedSheet() {
  const state = useState<File | null>(null);
  const [, setFile] = state;
  useEffect(() => {
    if (!hasFeature('customise')) return;
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      const file = [...(event.dataTransfer?.files ?? [])].find(({ name }) => /\.(?:csv|tsv|txt|xlsx)$/i.test(name));
      if (!file) return;
      event.preventDefault();
      setFile(file);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, []);
  return state;
}
