import type { ReactNode } from 'react';
import './page.css';

interface PageProps {
  readonly title: string;
  readonly about?: ReactNode;
  /** Before the title, such as an avatar. */
  readonly mark?: ReactNode;
  /** At the end of the header: search, filters, buttons. */
  readonly tools?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** The layout of every screen that is not a view: the same width, header and spacing. */
export function Page({ title, about, mark, tools, className = '', children }: PageProps) {
  return (
    <div className={`stack gap-5 page ${className}`}>
      <header className="row wrap page-head">
        {mark}
        <div className="shrink page-title">
          <h1>{title}</h1>
          {about && <p className="mut above-half">{about}</p>}
        </div>
        {tools && <div className="row wrap page-tools">{tools}</div>}
      </header>
      {children}
    </div>
  );
}

/** A card with a heading, for related content. */
export function Card({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  return (
    <section className="stack shrink framed round-l surface gap-4 pad-5 shade card">
      <header className="stack gap-half">
        <h2>{title}</h2>
        {about && <p className="mut">{about}</p>}
      </header>
      {children}
    </section>
  );
}
