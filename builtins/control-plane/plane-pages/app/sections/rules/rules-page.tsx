// A page with a document of the organisation: what holds now, the editor, and what held before.
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useState } from 'react';
import { isAtLeast, useMembership } from '../../base/me.ts';
import { DocumentEditor, type DocumentEditorProps } from './document-editor.tsx';
import { History } from './history.tsx';
import type { RulesDocument } from './rules-document.ts';

export interface RulesPageProps<T> extends Pick<DocumentEditorProps<T>, 'Form'> {
  readonly title: string;
  readonly intro: string;
  readonly rules: RulesDocument<T>;
}

export function RulesPage<T extends object>({ title, intro, rules, Form }: RulesPageProps<T>) {
  const { role } = useMembership();
  const [shown, setShown] = useState(0);
  const loaded = useLoaded(`${title} ${shown}`, (signal) => rules.read(signal));
  const mayWrite = isAtLeast(role, 'admin');
  const again = (): void => setShown((count) => count + 1);
  return (
    <PageFrame title={title} intro={intro} isBusy={loaded.isLoading}>
      <WhenLoaded loaded={loaded} what={title.toLowerCase()}>
        {(current) => (
          <>
            <DocumentEditor key={`${current.revision} ${shown}`} current={current} rules={rules} mayWrite={mayWrite} Form={Form} onSaved={again} />
            {mayWrite && <History key={current.revision} current={current.revision} rules={rules} onRestored={again} />}
          </>
        )}
      </WhenLoaded>
    </PageFrame>
  );
}
