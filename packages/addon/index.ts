/** The one door for addon authors. What the author writes with is documented where it is declared, with examples. */
export * from '@kontor/orm/author';
