/**
 * Ten pages of a bought theme, as page builders fill them: settings and texts side by side in every block, names of fields
 * that no two themes share. Published by nobody; every text is of our own making.
 */
let count = 0;
const block = (component: string, fields: Record<string, unknown>) => ({
  _uid: `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`,
  component,
  ...fields,
});
const asset = (filename: string, alt = "") => ({
  id: count + 1,
  fieldtype: "asset",
  filename: `https://a.storyblok.com/f/1/800x600/${count}/${filename}`,
  alt,
  name: "",
  title: "",
  focus: "",
  copyright: "",
});
const to = (cached_url: string) => ({ fieldtype: "multilink", linktype: "url", id: "", url: cached_url, cached_url });
const mail = (email: string) => ({ fieldtype: "multilink", linktype: "email", id: "", url: "", email, cached_url: "" });
const spacing = { margin_top: "lg", margin_bottom: "none", padding_y: "16" };
const grid = { xs: "12", md: "6", xl: "4", order_desktop: "2" };
const text = (value: string, marks?: { type: string }[]) => ({ type: "text", text: value, ...(marks && { marks }) });
const paragraph = (...content: unknown[]) => ({ type: "paragraph", content });
const doc = (...content: unknown[]) => ({ type: "doc", content });

/** Content of each page, by slug. */
export const themePages: Readonly<Record<string, Record<string, unknown>>> = {
  home: block("page", {
    seo_title: "Tidewater Boats",
    body: [
      block("hero_section", {
        eyebrow: "Since 1962",
        headline: "Boats that last\na lifetime",
        sub_headline: "Built by hand in a yard by the river.",
        text_align: "center",
        min_height: "80vh",
        background_image: asset("yard.jpg", "The yard at low tide"),
        overlay_opacity: "0.4",
        buttons: [
          block("btn", {
            label: [block("btn_label", { content: "See the boats" })],
            link: to("/boats"),
            appearance: "primary",
            icon_left: "sailing",
          }),
          block("btn", { label: "Visit the yard", link: to("/visit"), appearance: "ghost", icon_left: "" }),
        ],
        ...spacing,
      }),
      block("feature_grid", {
        title: [block("heading", { text: "Why Tidewater", level: "h2", align: "center", size: "xl" })],
        columns_desktop: "3",
        gap: "medium",
        items: [
          block("feature", {
            icon_name: "hammer",
            title: "Oak and larch",
            description: "Every plank comes from within thirty miles.",
            ...grid,
          }),
          block("feature", {
            icon_name: "water_drop",
            title: "Dry bilges",
            description: "We give a guarantee of ten years on every seam.",
            ...grid,
          }),
          block("feature", { icon_name: "support_agent", title: "A phone that answers", description: "", ...grid }),
        ],
      }),
      block("logo_wall", {
        headline: "As seen in",
        speed_ms: "4000",
        slides_per_view: "5",
        logos: [
          block("logo", { image: asset("gazette.svg", "The River Gazette"), url: "https://gazette.example" }),
          block("logo", { image: asset("sail.svg", "Sail Monthly"), url: "https://sail.example" }),
        ],
      }),
    ],
  }),
  pricing: block("page", {
    body: [
      block("section_header", { headline: "Memberships", tag: "h1", kicker: "Pricing", alignContent: "stretch" }),
      block("pricing_table", {
        billing_toggle: true,
        plans: [
          block("pricing_plan", {
            name: "Crew",
            price: "9",
            currency: "€",
            period: "month",
            highlighted: false,
            features: "Two evenings a week\nUse of the small dinghy",
            cta: [block("btn", { label: "Join the crew", link: to("/join/crew"), appearance: "primary" })],
          }),
          block("pricing_plan", {
            name: "Skipper",
            price: "24",
            currency: "€",
            period: "month",
            highlighted: true,
            badge: "Most chosen",
            features: "Every evening\nAll boats\nA locker of your own",
            cta: [block("btn", { label: "Become a skipper", link: to("/join/skipper"), appearance: "secondary" })],
          }),
        ],
        footnote: "Prices include tax. Cancel any month.",
      }),
      block("stat_row", {
        stats: [
          block("stat", { value: "24", suffix: "/7", label: "Harbour watch" }),
          block("stat", { value: "60", suffix: "", label: "Boats afloat" }),
        ],
      }),
    ],
  }),
  team: block("page", {
    body: [
      block("heading", { text: "The people of the yard", tag: "h2", color: "navy" }),
      block("card_list", {
        layout_variant: "three-up",
        cards: [
          block("team_card", {
            photo: asset("runa.jpg", "Runa at the band saw"),
            full_name: "Runa Voss",
            job_title: "Boatbuilder",
            bio: doc(
              paragraph(
                text("Runa learned the trade in Bergen and "),
                text("never", [{ type: "em" }]),
                text(" hurries."),
              ),
            ),
            email: mail("runa@tidewater.example"),
            ...grid,
          }),
          block("team_card", {
            photo: asset("ida.jpg"),
            full_name: "Ida Marsh",
            job_title: "Sails and rigging",
            bio: doc(paragraph(text("Ida sews what the wind tears.")), paragraph({ type: "hard_break" })),
            email: mail(""),
            ...grid,
          }),
        ],
      }),
    ],
  }),
  faq: block("page", {
    body: [
      block("title_block", {
        title: doc({ type: "heading", attrs: { level: 2 }, content: [text("Questions")] }),
        width: "narrow",
      }),
      block("accordion", {
        open_first: true,
        behaviour: "single",
        items: [
          block("accordion_item", {
            question: "May I visit without a date?",
            answer: doc(paragraph(text("Yes, on Saturdays."), { type: "hard_break" })),
          }),
          block("accordion_item", {
            question: "Do you repair plastic boats?",
            answer:
              '<p>We <strong>do not</strong>, but we know who does: <a href="https://plastic.example">Plastic &amp; Sons</a>.</p>',
          }),
        ],
      }),
    ],
  }),
  services: block("page", {
    body: [
      block("tabs", {
        style: "underline",
        tabs: [
          block("tab", {
            tab_label: "Repairs",
            icon: "build",
            content: [
              block("rich_text_block", {
                text: doc(paragraph(text("Bring her in before October."))),
                max_width: "65ch",
              }),
              block("markdown_block", {
                markdown: "# What we mend\n\n- planks\n- masts\n\n## What we do not\n\nEngines.",
              }),
            ],
          }),
          block("tab", {
            tab_label: "Winter storage",
            icon: "ac_unit",
            content: [block("paragraph", { text: "A dry place from November to March." })],
          }),
        ],
      }),
      block("steps", {
        items: [
          block("step_item", { number: "1", title: "Call us", text: "Tell us her length." }),
          block("step_item", { number: "2", title: "Bring her", text: "High water is best." }),
        ],
      }),
    ],
  }),
  gallery: block("page", {
    body: [
      block("slider", {
        autoplay: "true",
        transition_effect: "fade",
        aspect_ratio: "16/9",
        slides: [
          block("slide", {
            image: asset("one.jpg", "A hull in frames"),
            caption: "Week three",
            justify_content: "flex-end",
          }),
          block("slide", {
            image: asset("two.jpg", "The same hull, planked"),
            caption: "Week nine",
            justify_content: "flex-end",
          }),
        ],
      }),
      block("image_link", {
        image: asset("social.png", "Our page there"),
        link: to("https://social.example/tidewater"),
        open_in: "new",
      }),
    ],
  }),
  contact: block("page", {
    body: [
      block("headline", { text: "Write to us", size: "h1" }),
      block("contact_row", {
        items: [
          { label: "yard@tidewater.example", link: "mailto:yard@tidewater.example", icon: "mail" },
          { label: "+44 20 5550 1962", link: "tel:+442055501962", icon: "phone" },
        ],
      }),
      block("map", { lat: "51.5074", lng: "-0.1278", zoom: "14", marker_label: "Slipway Road 4", map_style: "light" }),
      block("contact_form", {
        title: "Ask for a quotation",
        recipient: "sales@tidewater.example",
        success_message: "Thank you, we answer within two days.",
        submit_label: "Send",
        fields: [
          block("form_field", { label: "Your name", field_name: "name", type: "text", required: true }),
          block("form_field", {
            label: "Kind of boat",
            field_name: "kind",
            type: "select",
            options: "dinghy\nyawl\nketch",
          }),
        ],
      }),
    ],
  }),
  story: block("post", {
    title: "How a yawl is born",
    date: "2025-04-11 00:00",
    category: "journal",
    reading_time: "6",
    body: doc(
      paragraph(text("It begins with a drawing."), { type: "hard_break" }),
      { type: "heading", attrs: { level: 2 }, content: [text("The keel")] },
      paragraph(text("Oak, "), text("always oak", [{ type: "strong" }]), text(".")),
      { type: "heading", attrs: { level: 3 }, content: [text(" ")] },
      paragraph({ type: "hard_break" }),
      {
        type: "blok",
        attrs: {
          id: "x",
          body: [
            block("callout", { tone: "warning", title: "Mind the tide", text: "The slip is under water twice a day." }),
          ],
        },
      },
    ),
    author_box: [
      block("author_box", {
        variant: "compact",
        name: "Runa Voss",
        role: "Boatbuilder",
        avatar: asset("runa-small.jpg"),
      }),
    ],
  }),
  landing: block("page", {
    body: [
      block("two_col", {
        left: [
          block("heading_group", { pre_title: "New", title: "The Heron,\nour smallest boat", heading_level: "2" }),
          block("text", { text: "She weighs 60 kg and fits on a roof.", font_size: "lg", text_color: "#1d2a5b" }),
          block("cta", { button: { label: "Read about the Heron", link: to("/boats/heron"), style: "primary" } }),
        ],
        right: [
          block("picture", { src: asset("heron.jpg", "The Heron under sail"), object_fit: "cover", rounded: "xl" }),
        ],
        ratio: "7-5",
        reverse_mobile: true,
        ...spacing,
      }),
      block("spacer", { height: "64px", height_mobile: "32px" }),
      block("comparison", {
        heading: "Heron or Egret?",
        table: {
          thead: [
            { _uid: "h1", value: "" },
            { _uid: "h2", value: "Heron" },
            { _uid: "h3", value: "**Egret**" },
          ],
          tbody: [
            {
              _uid: "r1",
              body: [
                { _uid: "c1", value: "Length" },
                { _uid: "c2", value: "3.1 m" },
                { _uid: "c3", value: "4.4 m" },
              ],
            },
          ],
          fieldtype: "table",
        },
      }),
      block("newsletter", {
        heading: "Four letters a year",
        placeholder: "you@example.org",
        list_id: "a81f",
        button_text: "Subscribe",
        endpoint: "https://lists.example/sub",
      }),
    ],
  }),
  footer: block("site_footer", {
    columns: [
      block("footer_column", {
        heading: "The yard",
        links: [
          block("footer_link", { text: "Visit", link: to("/visit"), new_tab: false }),
          block("footer_link", { text: "Jobs", link: to("/jobs"), new_tab: false }),
        ],
      }),
      block("footer_column", {
        heading: "Elsewhere",
        links: [block("social_link", { network: "mastodon", url: to("https://social.example/@tidewater") })],
      }),
    ],
    legal: "© Tidewater Boats Ltd.",
    theme: "dark",
  }),
};
