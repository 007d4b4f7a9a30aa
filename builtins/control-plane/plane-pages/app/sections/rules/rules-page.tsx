// Renders the page of an organisation's document: current version, editor and history.
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useState } from 'react';
import { isAtLeast, useMembership } from '../../base/me.ts';
import { DocumentEditor, type DocumentEditorProps } from './document-editor.tsx';
import { History } from './history.tsx';
import type { RulesDocument } from './rules-document.ts';
import { useNewestRevision } from './use-newest-revision.ts';

export interface RulesPageProps<T> extends Pick<DocumentEditorProps<T>, 'Form'> {
  readonly title: string;
  readonly intro: string;
  readonly rules: RulesDocument<T>;
}

export function RulesPage<T extends object>({ title, intro, rules, Form }: RulesPageProps<T>) {
  const { role } = useMembership();
  const loaded = useLoaded(title, (signal) => rules.read(signal));
  const newestRevision = useNewestRevision(rules.kind);
  /** Revision that this page published; known before the notification arrives. */
  const [made, setMade] = useState(0);
  const mayWrite = isAtLeast(role, 'admin');
  return (
    <PageFrame title={title} intro={intro} isBusy={loaded.isLoading}>
      <WhenLoaded loaded={loaded} what={title.toLowerCase()}>
        {(current) => {
          const newest = Math.max(current.revision, newestRevision ?? 0, made);
          return (
            <>
              <DocumentEditor current={current} rules={rules} mayWrite={mayWrite} newest={newest} Form={Form} onPublished={setMade} />
              {mayWrite && <History key={newest} current={newest} rules={rules} onRestored={setMade} />}
            </>
          );
        }}
      </WhenLoaded>
    </PageFrame>
  );
}
