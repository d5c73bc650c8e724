import { createContext, useContext } from 'react';
import type { OpenForm } from './use-form.ts';

const context = createContext<OpenForm | null>(null);

export const FormProvider = context.Provider;

export function useOpenForm(): OpenForm {
  const open = useContext(context);
  if (!open) throw new Error('This part of a form stands outside of one.');
  return open;
}
