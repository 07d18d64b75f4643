/**
 * The content of a new template: one column that fits phones, readable in dark mode, with a preheader and a separate
 * text.
 */
export const STARTER_HTML = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>{{PRODUCT}}</title>
  <style>
    body { margin: 0; padding: 0; background: #f3f5f6; }
    .card { background: #ffffff; color: #1d2127; }
    .quiet { color: #59606b; }
    @media (max-width: 600px) {
      .outer { padding: 16px 8px !important; }
      .card { padding: 24px 20px !important; }
    }
    @media (prefers-color-scheme: dark) {
      body, .outer { background: #131417 !important; }
      .card { background: #1e2126 !important; color: #e6e8eb !important; }
      .quiet { color: #9ba2ae !important; }
    }
  </style>
</head>
<body>
  <!-- The preheader: what inboxes show after the subject. -->
  <div style="display:none; max-height:0; overflow:hidden; mso-hide:all">One sentence that makes people open this.</div>
  <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
    <tr>
      <td class="outer" align="center" style="padding: 40px 16px; background: #f3f5f6">
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width: 560px">
          <tr>
            <td class="card" style="padding: 36px 40px; border-radius: 12px; background: #ffffff; color: #1d2127; font: 16px/1.6 -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif">
              <h1 style="margin: 0 0 16px; font-size: 22px; line-height: 1.3">Hello {{NAME}},</h1>
              <p style="margin: 0 0 24px">Say in a sentence or two what happened, and what to do now.</p>
              <p style="margin: 0 0 24px">
                <a href="{{ACTION_URL}}" style="display: inline-block; padding: 12px 22px; border-radius: 8px; background: #0f7b6c; color: #ffffff; font-weight: 600; text-decoration: none">Take a look</a>
              </p>
              <p class="quiet" style="margin: 0; font-size: 14px; color: #59606b">If the button does not work, open {{ACTION_URL}}</p>
            </td>
          </tr>
          <tr>
            <td class="quiet" align="center" style="padding: 20px; color: #59606b; font: 13px/1.5 -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif">
              You get this email because you have an account with {{PRODUCT}}.
            </td>
          </tr>
        </table>
      </td>
    </tr>
  </table>
</body>
</html>
`

export const STARTER_TEXT = `Hello {{NAME}},

Say in a sentence or two what happened, and what to do now.

Take a look: {{ACTION_URL}}

--
You get this email because you have an account with {{PRODUCT}}.
`

export const STARTER_VARIABLES = [
  { key: 'NAME', type: 'string', fallback_value: 'there' },
  { key: 'PRODUCT', type: 'string', fallback_value: 'our service' },
  { key: 'ACTION_URL', type: 'string', fallback_value: null },
] as const

/** For users who paste their own HTML. */
export const EMPTY_HTML = '<p>Hello,</p>\n'
