//! Names of resources for users.

use super::Resource;
use crate::analysis::accesses::Operation;
use crate::analysis::channels::Channel;
use crate::analysis::part::{Owner, Part, Selector};
use crate::net::{Network, TemplateId, Type};

impl Resource {
    /// Returns the name, such as `a[*].x`, `P:x`, `channel q` or `P@`, for a
    /// transition of the template `own`.
    pub fn name(&self, network: &Network, own: TemplateId) -> String {
        match self {
            Self::Everything => "everything".to_string(),
            Self::Variable(part) => part.name(network, own),
            Self::Channel(channel) => channel.name(network, own),
            Self::Control(template) => format!("{}@", network.templates[template.index()].name),
            Self::Processes => "processes".to_string(),
            Self::Channels => "channels".to_string(),
            Self::Last => "_last".to_string(),
            Self::Priorities => "priorities".to_string(),
        }
    }
}

impl Channel {
    /// Returns `channel q` or `any channel`.
    pub fn name(&self, network: &Network, own: TemplateId) -> String {
        match self {
            Self::Of(part) => format!("channel {}", part.name(network, own)),
            Self::Any => "any channel".to_string(),
        }
    }
}

impl Part {
    /// Returns the name, such as `a[*].x` or `P:x`.
    pub fn name(&self, network: &Network, own: TemplateId) -> String {
        let variable = self.variable(network, own);
        let mut name = match self.owner {
            Owner::Global | Owner::Own => variable.name.clone(),
            Owner::Process(template) => {
                format!("{}:{}", network.templates[template.index()].name, variable.name)
            }
        };
        let mut ty = variable.ty;
        for step in &self.steps {
            match *step {
                Selector::Element(index) => name.push_str(&format!("[{index}]")),
                Selector::AnyElement => name.push_str("[*]"),
                Selector::Field(field) => {
                    let Type::Record(record) = ty else { break };
                    let field = &network.records[record.index()].fields[field.index()];
                    name.push_str(&format!(".{}", field.name));
                    ty = field.ty;
                }
            }
        }
        name
    }
}

impl Operation {
    /// Returns the operation as one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::SortedSend => "sorted-send",
            Self::Receive => "receive",
            Self::RandomReceive => "random-receive",
            Self::Copy => "copy",
            Self::RandomCopy => "random-copy",
            Self::Length => "len",
            Self::Empty => "empty",
            Self::Full => "full",
            Self::NotEmpty => "nempty",
            Self::NotFull => "nfull",
            Self::Poll => "poll",
            Self::RandomPoll => "random-poll",
        }
    }
}
